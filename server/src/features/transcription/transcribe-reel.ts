import { ServiceError, supportedLanguage } from "@reelscript/contract";
import type {
  Allowance,
  CachedTranscript,
  Clock,
  OwnText,
  RateLimits,
  ReelAddress,
  ReelLocator,
  TranscriptionRequest,
} from "../../ports.ts";
import { isRough } from "../../describe/describe-script.ts";
import { refusalKey } from "../../recognition/recognizer-of.ts";
import { Accepted, type Handler, type HandlerCall } from "../../run/handler.ts";
import type { AskPlatform } from "../../run/ask-platform.ts";
import { allowanceOfCaller } from "../../rules/allowance.ts";
import { errorOf, takenDown } from "../../rules/refusals.ts";
import { describeQueued } from "./describe-transcription.ts";
import { acceptTranscription, follow, type ReachedProgress, stillRunning, type Work } from "./following/follow.ts";
import { withSecondsLeft } from "./following/usual-seconds.ts";
import { type QueueNeeds, refuseStart, refuseUse, retryAfter } from "./refuse-start.ts";
import { alsoTranslate, type TranslateNeeds } from "./translate-script.ts";
import { storeMedia } from "./store-media.ts";

interface TranscribeNeeds extends TranslateNeeds {
  readonly askPlatform: AskPlatform;
  readonly locator: ReelLocator;
  readonly rateLimits: RateLimits;
}

export const transcribeReel =
  (needs: TranscribeNeeds): Handler<"transcribeReel"> =>
  async (call) => {
    const { store } = needs;
    const { caller, input } = call;
    const { reel, allowance, queuedAt, work } = await begin(needs, call);
    const answer = async (ownText: OwnText, used: number, cached: boolean) => ({
      transcript: ownText.text,
      language: ownText.language,
      cached,
      ...(ownText.truncated && { truncated: true as const }),
      ...(isRough(ownText) && { rough: true as const }),
      usage: { used, limit: allowance.limit },
      ...(ownText.scriptId !== null && { scriptId: ownText.scriptId }),
      ...(input.translate !== undefined &&
        ownText.scriptId !== null && {
          translation: await alsoTranslate(needs, caller.account.id, ownText.scriptId),
        }),
    });
    if (work.kind === "cached") return answer(work.transcript, work.transcript.used, true);
    // Also when the caller doesn't wait for the end.
    if (input.translate !== undefined && "transcriptionId" in work && work.transcriptionId !== undefined)
      await store.translations.wish(caller.account.id, work.transcriptionId);
    const done = await follow(needs, work, call, {
      accept: async (id) =>
        work.kind === "started"
          ? new Accepted(
              withSecondsLeft(describeQueued({ id, reelUrl: reel.url, queuedAt }), await needs.usualSeconds()),
            )
          : acceptTranscription(needs, caller, id),
      late: tooLate,
    });
    if (done instanceof Accepted) return done;
    const transcript = await store.transcriptions.readText(reel, caller.account.id);
    if (!transcript) throw new Error(`transcription ${done} is done, but the cache has no transcript`);
    const { used } = await store.allowances.read(allowance.subject, allowance.period);
    return { ...(await answer(transcript, used, false)), transcriptionId: done };
  };

interface Begun {
  readonly reel: ReelAddress;
  readonly allowance: Allowance;
  readonly queuedAt: Date;
  readonly work: Work | { readonly kind: "cached"; readonly transcript: CachedTranscript };
}

/** Finds the reel in the cache, or puts it into the queue. */
async function begin(needs: TranscribeNeeds, call: HandlerCall<"transcribeReel">): Promise<Begun> {
  const { store, askPlatform, clock, quotaScope } = needs;
  const { input, caller, signal, whileWaiting } = call;
  const reel = await askPlatform.locate(input.url, { caller, signal, whileWaiting });
  const allowance = allowanceOfCaller(caller, quotaScope, clock.now());
  const languageHint = hintOf(input);
  const isOwn = languageHint !== null;
  const cached = await store.transcriptions.takeCached(reel, allowance, clock.now(), { isOwn });
  const queuedAt = clock.now();
  if (cached) return { reel, allowance, queuedAt, work: { kind: "cached", transcript: cached } };
  const work = await store.transcriptions.request(requestOf(needs, { reel, languageHint, allowance, now: queuedAt }));
  if (work.kind === "limitReached") throw refuseUse(allowance, caller);
  return { reel, allowance, queuedAt, work };
}

const tooLate = (transcriptionId: string, progress: ReachedProgress | undefined): ServiceError =>
  new ServiceError(
    "inProgress",
    `${stillRunning(progress, "Call again with the same url")}; you'll then get it from the cache, and you're charged once only.`,
    { reason: "transcriptionRunning", retryAfter, transcriptionId },
  );

const hintOf = ({ languageHint }: { readonly languageHint?: string | undefined }): string | null =>
  languageHint === undefined ? null : (supportedLanguage(languageHint) ?? null);

const requestOf = (
  { recognizer, queueLimit, queueLimitPerAccount }: QueueNeeds,
  { reel, languageHint, allowance, now }: Pick<TranscriptionRequest, "reel" | "languageHint" | "allowance" | "now">,
): TranscriptionRequest => ({
  reel,
  languageHint,
  allowance,
  model: refusalKey(recognizer, languageHint),
  queueLimit,
  queueLimitPerAccount,
  now,
});

/** Limit of waiting media per account, and for all together, in multiples of the largest media. */
const mostOfAccount = 2;
const mostOfAll = 20;
/** Free disk space that workers need, in the same unit. */
const leastFree = 2;
const retryWithoutRoom = 60;

interface SendNeeds extends QueueNeeds {
  readonly askPlatform: AskPlatform;
  readonly maxMediaBytes: number;
  readonly sentBytesPerHour: number;
}

/** Reads the media only after everything else has been checked. */
export const sendReelMedia =
  (needs: SendNeeds): Handler<"sendReelMedia"> =>
  async ({ input, caller, signal, media, whileWaiting }) => {
    const { store, askPlatform, clock, maxMediaBytes, sentBytesPerHour } = needs;
    if (media === undefined) throw new Error("the door gave no media");
    const reel = await askPlatform.locate(input.url, { caller, signal, whileWaiting });
    const accountId = caller.account.id;
    const allowance = allowanceOfCaller(caller, needs.quotaScope, clock.now());
    if (await isThere(needs, reel, allowance)) return { cached: true };
    if (await store.moderation.isTakenDown(reel)) throw errorOf(takenDown);
    const { used, held } = await store.allowances.read(allowance.subject, allowance.period);
    if (used + held >= allowance.limit) throw refuseUse(allowance, caller);

    const begun = await store.sentMedia.begin({
      accountId,
      mostBytesOfAccount: mostOfAccount * maxMediaBytes,
      mostBytes: mostOfAll * maxMediaBytes,
      mostBytesPerHour: sentBytesPerHour,
      leastFreeBytes: leastFree * maxMediaBytes + (media.length ?? maxMediaBytes),
      ...leaseFrom(clock),
    });
    if (begun.kind === "busy")
      throw new ServiceError("inProgress", "You are already sending another reel. Try again when it has arrived.", {
        reason: "transcriptionRunning",
        retryAfter,
      });
    if (begun.kind === "full")
      throw new ServiceError("unavailable", "Too many sent reels are still waiting. Try again shortly.", {
        reason: "queueFull",
        retryAfter,
      });
    if (begun.kind === "noRoom")
      throw new ServiceError("unavailable", "The service has no room for media right now. Try again in a minute.", {
        retryAfter: retryWithoutRoom,
      });
    if (begun.kind === "spent")
      throw new ServiceError(
        "rateLimited",
        `Your account has sent ${Math.floor(sentBytesPerHour / 1_000_000)} MB of media in this hour, which is the most it may send, broken-off ones among them. Try again later.`,
        { reason: "tooManyRequests", retryAfter: begun.retryAfter },
      );
    const { mediaId } = begun;
    try {
      await whileWaiting(() =>
        storeMedia(media, {
          maxBytes: maxMediaBytes,
          append: (number, bytes) => store.sentMedia.append(mediaId, number, bytes, leaseFrom(clock).expiresAt),
          count: (bytes) => store.sentMedia.count(accountId, bytes, clock.now()),
        }),
      );
      const now = clock.now();
      const started = await store.sentMedia.request(
        mediaId,
        requestOf(needs, { reel, languageHint: hintOf(input), allowance, now }),
      );
      if (started.kind === "cached") return { cached: true };
      if (started.kind === "limitReached") throw refuseUse(allowance, caller);
      if (started.kind !== "started") throw refuseStart(started, needs);
      const { transcriptionId: id } = started;
      return { cached: false, transcription: describeQueued({ id, reelUrl: reel.url, queuedAt: now }) };
    } finally {
      // Media that belong to a transcription stay.
      await store.sentMedia.drop(mediaId);
    }
  };

/** True if everybody has the reel, or the account sent it before; it is then in the account's library. */
async function isThere({ store, clock }: QueueNeeds, reel: ReelAddress, allowance: Allowance): Promise<boolean> {
  return (await store.transcriptions.takeCached(reel, allowance, clock.now(), { isOwn: true })) !== undefined;
}

const leaseSeconds = 60;

function leaseFrom(clock: Clock): { readonly now: Date; readonly expiresAt: Date } {
  const now = clock.now();
  return { now, expiresAt: new Date(now.getTime() + leaseSeconds * 1_000) };
}
