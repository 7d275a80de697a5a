import { languages, ServiceError, type Language, type TranslationText } from "@reelscript/contract";
import type { TranslationStart } from "../../ports.ts";
import { describeTranslation, isTranslated, textOnly } from "../../describe/describe-translation.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import { Accepted, type Handler } from "../../run/handler.ts";
import { acceptTranscription, follow, type ReachedProgress, stillRunning, type Work } from "./following/follow.ts";
import { type QueueNeeds, retryAfter } from "./refuse-start.ts";

export interface TranslateNeeds extends QueueNeeds {
  /** The languages that the running model translates. */
  readonly translatedLanguages: readonly Language[];
}

export const translateScript =
  (needs: TranslateNeeds): Handler<"translateScript"> =>
  async (call) => {
    const { store, recognizer } = needs;
    const accountId = call.caller.account.id;
    const scriptId = call.input.id;
    const script = await store.translations.find(accountId, scriptId, recognizer.revision);
    if (script === undefined) throw noSuchScript();
    if (!isTranslated(script.language, needs)) throw notOffered(script.language, needs);
    const work = await request(needs, accountId, scriptId);
    if (work.kind === "noScript") throw noSuchScript();
    if (work.kind === "noMedia")
      throw new ServiceError("notFound", "The file is no longer kept, so it can't be translated. Send it again.");
    if (work.kind !== "done") {
      const done = await follow(needs, awaited(work), call, {
        accept: (id) => acceptTranscription(needs, call.caller, id),
        late: tooLate,
      });
      if (done instanceof Accepted) return done;
    }
    const translated = await store.translations.find(accountId, scriptId, recognizer.revision);
    if (translated === undefined) throw noSuchScript();
    return describeTranslation(translated);
  };

/** The account's own translation is waited for, whoever began it: it was queued with the transcript. */
const awaited = (work: Exclude<TranslationStart, { readonly kind: "noScript" | "noMedia" | "done" }>): Work =>
  work.kind === "inProgress" && work.transcriptionId !== undefined
    ? { kind: "started", transcriptionId: work.transcriptionId }
    : work;

/** The translation of a script as it is now; asks for it where it is offered and isn't there. Never throws because of it. */
export async function alsoTranslate(
  needs: TranslateNeeds,
  accountId: string,
  scriptId: string,
): Promise<TranslationText | undefined> {
  const { store, recognizer } = needs;
  const script = await store.translations.find(accountId, scriptId, recognizer.revision);
  if (script === undefined) return undefined;
  if (!isTranslated(script.language, needs) || script.translation.state === "done")
    return textOnly(describeTranslation(script));
  const { kind } = await request(needs, accountId, scriptId);
  const isUnderWay = kind === "started" || kind === "inProgress";
  return { language: "en", byMachine: true, status: isUnderWay ? "inProgress" : "failed" };
}

const request = (
  { store, clock, recognizer, queueLimit, queueLimitPerAccount }: TranslateNeeds,
  accountId: string,
  scriptId: string,
): Promise<TranslationStart> => {
  const { revision } = recognizer;
  const now = clock.now();
  return store.translations.request({ accountId, scriptId, revision, queueLimit, queueLimitPerAccount, now });
};

function notOffered(language: string, { translatedLanguages }: TranslateNeeds): ServiceError {
  const names = translatedLanguages.map((code) => languages[code]);
  const list = new Intl.ListFormat("en", { type: "conjunction" }).format(names);
  const offered = names.length === 0 ? "The running model translates nothing." : `Translated are ${list}.`;
  const what = language === "und" ? "Nothing is said here" : `This script is in ${nameOf(language)}`;
  return new ServiceError("invalidRequest", `${what}. ${offered}`, { reason: "notTranslated" });
}

const nameOf = (language: string): string =>
  Object.hasOwn(languages, language) ? languages[language as Language] : language;

const tooLate = (_transcriptionId: string, progress: ReachedProgress | undefined): ServiceError =>
  new ServiceError("inProgress", `${stillRunning(progress, "Call again")} for the translation.`, {
    reason: "transcriptionRunning",
    retryAfter,
  });
