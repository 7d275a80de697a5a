import path from "node:path";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { languages, ServiceError, supportedLanguage } from "@reelscript/contract";
import type {
  Claim,
  Clock,
  Failure,
  NewTranscript,
  NumberedPassage,
  Passage,
  ReelSource,
  Store,
  Transcriber,
} from "../ports.ts";
import { recognizerKey, refusalKey } from "../recognition/recognizer-of.ts";
import { RecognizerSilent, SpeechNotRecognized } from "../recognition/recognition-errors.ts";
import { fetchReel, PlatformUnanswered, takeSentMedia } from "./fetch-reel.ts";
import { isFaultOfMachine, type MachineHealth } from "./machine-health.ts";
import type { PlatformHealth } from "./platform-health.ts";
import type { OutageReport } from "../report-outages.ts";
import { untilStored } from "./until-stored.ts";
import { withinLongest } from "./within-longest.ts";

export const leaseSeconds = 30;
const heartbeatMilliseconds = 1_000;
/** New words are written sooner. */
const wordsMilliseconds = 250;
const refusalMilliseconds = 24 * 60 * 60 * 1_000;
/** How long another worker, if there is one, has the first right to what this one failed at. */
const avoidMilliseconds = 3_000;
/** Share of the progress that fetching takes; the transcriber reports the rest. */
const fetched = 0.05;

export const broken: Failure = {
  code: "internalError",
  status: 500,
  message: "The transcription failed twice on our side. You weren't charged. Try again later.",
};

export interface WorkOnClaimNeeds {
  readonly store: Store;
  readonly source: ReelSource;
  readonly transcriber: Transcriber;
  readonly clock: Clock;
  /** Folder for media during transcription. */
  readonly workDirectory: string;
  readonly health: MachineHealth;
  readonly platform: PlatformHealth;
  /** Reports outages of lease renewals. */
  readonly renewals: OutageReport;
  readonly onFault: (error: unknown, claim?: Claim) => void;
  /** Called when the media are there, and whenever more of them was heard. */
  readonly onProgress?: () => void;
}

/** Needs of a worker that chooses its own claims. */
export interface WorkerNeeds extends Omit<WorkOnClaimNeeds, "health" | "platform" | "renewals" | "onProgress"> {
  /** No other worker's. */
  readonly name: string;
  /** Limit of one media file. */
  readonly maxMediaBytes: number;
}

/** Works on one transcription to its end, or gives it back when `stopping` or when this machine cannot do it. */
export async function workOnClaim(needs: WorkOnClaimNeeds, claim: Claim, stopping: AbortSignal): Promise<void> {
  const { store, clock, health, onFault } = needs;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const interim = createUnsentPassages();
  const state = { progress: 0, isWaiting: false };
  const heartbeat = startHeartbeat(needs, claim, state, interim, () => lost.abort());
  let directory: string | undefined;
  try {
    directory = await makeDirectory(needs.workDirectory);
    const { reel, speech } = await transcribe(needs, claim, directory, signal, {
      onProgress: (done) => {
        state.progress = done;
        needs.onProgress?.();
      },
      onWait: (does) => (state.isWaiting = does),
      // During a retranscription everybody keeps the old transcript until the new one has been judged. And senders choose
      // their media, possibly so that the part they want is shown and the rest refused, which costs nothing.
      ...(!claim.retranscribes && !claim.hasSentMedia && { onPassage: interim.add, onDraft: interim.draft }),
    });
    const now = clock.now();
    const transcript: NewTranscript = {
      reel,
      createdAt: now,
      text: speech.text,
      segments: speech.segments,
      words: speech.words,
      gaps: speech.gaps,
      language: speech.language,
      languageProbability: speech.languageProbability,
      seconds: speech.seconds,
      speechSeconds: speech.speechSeconds,
      truncated: speech.truncated,
      model: speech.model,
      revision: speech.revision,
      hintDecided: speech.hintDecided,
      heardBy: recognizerKey(needs.transcriber),
    };
    await untilStored(() => store.transcriptions.complete(claim, transcript, speech.text !== "", now), signal);
    health.succeeded();
  } catch (error) {
    if (lost.signal.aborted) return;
    if (stopping.aborted) await store.transcriptions.release(claim, false);
    else await settleFailure(needs, claim, error, signal);
  } finally {
    clearInterval(heartbeat);
    if (directory !== undefined)
      await rm(directory, { recursive: true, force: true }).catch((error: unknown) => onFault(error, claim));
  }
}

/** Creates the parent folder again, in case somebody removed it. */
async function makeDirectory(workDirectory: string): Promise<string> {
  await mkdir(workDirectory, { recursive: true, mode: 0o700 });
  return mkdtemp(path.join(workDirectory, "reel-"));
}

async function transcribe(
  { store, source, platform, transcriber }: WorkOnClaimNeeds,
  claim: Claim,
  directory: string,
  signal: AbortSignal,
  {
    onProgress,
    onWait,
    ...heard
  }: Pick<Parameters<Transcriber["transcribe"]>[1], "onProgress" | "onPassage" | "onDraft"> & {
    readonly onWait: (waits: boolean) => void;
  },
) {
  const file = path.join(directory, "media");
  transcriber.prepare?.();
  const reel = claim.hasSentMedia
    ? await takeSentMedia(store, claim, file, signal)
    : await fetchReel({ source, platform, onWait }, claim, file, signal);
  onProgress(fetched);
  const speech = await transcriber.transcribe(file, {
    ...heard,
    language: claim.languageHint,
    signal,
    onProgress: (done) => onProgress(fetched + done * (1 - fetched)),
  });
  // Somebody speaks, and not a word of it was written down: that isn't a reel without speech.
  if (speech.text === "" && speech.gaps.length > 0) throw new SpeechNotRecognized(speech.language, speech.model);
  return { reel, speech: withinLongest(speech) };
}

/**
 * Renews the lease as long as the transcription is in hand, also while the database is away. The same statement writes newly
 * recognized words, so that they cost nothing of their own.
 */
function startHeartbeat(
  { store, clock, renewals }: WorkOnClaimNeeds,
  claim: Claim,
  state: { readonly progress: number; readonly isWaiting: boolean },
  interim: ReturnType<typeof createUnsentPassages>,
  onLost: () => void,
): NodeJS.Timeout {
  let beating = false;
  let last = performance.now();
  return setInterval(() => {
    const passages = interim.unsent();
    if (beating || (passages.length === 0 && performance.now() - last < heartbeatMilliseconds)) return;
    beating = true;
    last = performance.now();
    store.transcriptions
      .extend(claim, state.progress, leaseSeconds, clock.now(), passages, state.isWaiting)
      .then((held) => {
        renewals.succeeded();
        interim.sent(passages);
        if (!held) onLost();
      })
      .catch((error: unknown) => renewals.failed(error, claim))
      .finally(() => (beating = false));
  }, wordsMilliseconds);
}

async function settleFailure(
  needs: WorkOnClaimNeeds,
  claim: Claim,
  error: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, transcriber, clock, health, onFault } = needs;
  const now = clock.now();
  const fail = (failure: Failure, refuse?: { model: string; until: Date }) =>
    untilStored(() => store.transcriptions.fail(claim, failure, { now, ...(refuse && { refuse }) }), signal);
  const release = (countAttempt: boolean, isSetback = true) => {
    const avoidUntil = isSetback ? new Date(now.getTime() + avoidMilliseconds) : undefined;
    return untilStored(() => store.transcriptions.release(claim, countAttempt, avoidUntil), signal);
  };

  const refuse = {
    model: claim.retranscribes ? recognizerKey(transcriber) : refusalKey(transcriber, claim.languageHint),
    until: new Date(now.getTime() + refusalMilliseconds),
  };
  // Other media of the same reel may be sent next.
  if (error instanceof SpeechNotRecognized) return fail(notRecognized(error), claim.hasSentMedia ? undefined : refuse);
  if (error instanceof PlatformUnanswered || error instanceof RecognizerSilent || isFaultOfMachine(error)) {
    onFault(error, claim);
    // A worker whose platform is silent may hear sent media, and rests by rules of its own.
    if (!(error instanceof PlatformUnanswered)) health.failed();
    return release(false, !(error instanceof PlatformUnanswered && error.isProbe));
  }
  if (error instanceof ServiceError && error.reason === "platformBusy") {
    needs.platform.busy(error.retryAfter ?? 1);
    return release(false, false);
  }
  if (error instanceof ServiceError && error.code !== "internalError") {
    const { code, status, message, reason, retryAfter } = error;
    // This recognizer is never asked again to hear a reel that it can't; a first transcription may always be tried.
    const heard = claim.retranscribes && status === 422 && reason !== "platformNotSetUp";
    return fail({ code, status, message, reason, retryAfter }, heard ? refuse : undefined);
  }
  onFault(error, claim);
  return claim.mayRetry ? release(true) : fail(broken);
}

/** People read what happened; which model it was and what would help is the operator's business. */
function notRecognized({ language, isUnread, isUnnamed }: SpeechNotRecognized): Failure {
  const code = supportedLanguage(language);
  const name = code && languages[code];
  const helps = isUnnamed ? ` Name the language (${language}) as a hint to get a rough draft.` : "";
  const message =
    name !== undefined && isUnread
      ? `We can't transcribe ${name} reliably with the current model.${helps} You weren't charged.`
      : `We couldn't make out the speech in this reel${name === undefined ? "" : `, which sounds like ${name}`}. You weren't charged.`;
  return { code: "invalidRequest", status: 422, message, reason: "speechNotRecognized" };
}

const noDraft: NumberedPassage = { number: 0, language: "und", text: "" };

/** Recognized passages that are not sent yet, in order. If sending fails, they keep their numbers. */
function createUnsentPassages() {
  let waiting: readonly NumberedPassage[] = [];
  let last = 0;
  let draft = noDraft;
  let sentDraft = noDraft;
  return {
    add: ({ language, text }: Passage): void => {
      waiting = [...waiting, { number: (last += 1), language, text }];
      draft = noDraft;
    },
    /** Replaces the last draft, as a passage does; `undefined` if there is no text after all. */
    draft: (written: Passage | undefined) => void (draft = written ? { number: 0, ...written } : noDraft),
    unsent: (): readonly NumberedPassage[] => (draft === sentDraft ? waiting : [...waiting, draft]),
    sent(passages: readonly NumberedPassage[]): void {
      waiting = waiting.filter((passage) => !passages.includes(passage));
      sentDraft = passages.find(({ number }) => number === 0) ?? sentDraft;
    },
  };
}
