import { draftHint, filePlatform, languages, ServiceError, supportedLanguage } from "@reelscript/contract";
import { WhisperError } from "@reelscript/whisper";
import type { AwaitedDependency, Claim, Failure } from "../ports.ts";
import { ObjectsAway } from "../ports/objects.ts";
import { SentMediaAway } from "../ports/sent-media.ts";
import { contentError } from "../recognition/file-content.ts";
import { RecognizerAway, RecognizerSilent, SpeechNotRecognized } from "../recognition/recognition-errors.ts";
import { recognizerKey, refusalKey } from "../recognition/recognizer-of.ts";
import { PlatformAway, PlatformUnanswered } from "./fetch-reel.ts";
import { isFaultOfMachine, type Needed } from "./health.ts";
import type { WorkOnClaimNeeds } from "./worker-needs.ts";

const refusalMilliseconds = 24 * 60 * 60 * 1_000;
/** How long a reel that failed here is left to other workers, if there are any. */
const avoidMilliseconds = 3_000;
/**
 * A reel about which the platform told us to wait comes back after the others that wait: if it was the reason, they aren't
 * held up by it again. Longer than the pauses of `Outages` and `Outages.resumeAt`.
 */
const refusedMilliseconds = 90_000;
/** Time limit for the platform's answer about a reel that it provided before. */
const comparisonMilliseconds = 10_000;

export const broken: Failure = {
  code: "internalError",
  status: 500,
  message: "The transcription failed twice on our side. You weren't charged. Try again later.",
};

interface Settling {
  /** When work on the claim began. */
  readonly begunAt: Date;
  readonly signal: AbortSignal;
  /** Writes the outcome, with retries while the database is down. */
  readonly untilStored: (write: () => Promise<boolean>) => Promise<boolean>;
}

/** Decides what happens to a failed transcription: it fails permanently, or goes back and is retried. */
export async function settleFailure(
  needs: WorkOnClaimNeeds,
  claim: Claim,
  thrown: unknown,
  settling: Settling,
): Promise<boolean> {
  const { untilStored } = settling;
  const error = claim.reel.platform === filePlatform ? asFileError(thrown) : thrown;
  const { store, transcriber, clock, health, onFault } = needs;
  const now = clock.now();
  const fail = (failure: Failure, refuse?: { model: string; until: Date }) =>
    untilStored(() => store.transcriptions.fail(claim, failure, { now, ...(refuse && { refuse }) }));
  const release = (countAttempt: boolean, isSetback = true) => {
    const avoidUntil = isSetback ? new Date(now.getTime() + avoidMilliseconds) : undefined;
    return untilStored(() => store.transcriptions.release(claim, countAttempt, avoidUntil));
  };

  const refuse = {
    model: claim.retranscribes ? recognizerKey(transcriber) : refusalKey(transcriber, claim.languageHint),
    until: new Date(now.getTime() + refusalMilliseconds),
  };
  if (error instanceof SentMediaAway)
    return (await waitForStorage(needs, claim, error, settling)) || fail(failureOf(error));
  if (error instanceof PlatformAway || error instanceof RecognizerAway) {
    const failure = failureOf(error instanceof PlatformAway ? error.cause : error);
    return (await waitOut(needs, claim, error, { ...settling, failure })) || fail(failure);
  }
  // A refusal of sent media isn't remembered, because other media of the same reel may be sent next.
  if (error instanceof SpeechNotRecognized)
    return fail(notRecognized(error, claim), claim.hasSentMedia ? undefined : refuse);
  if (error instanceof PlatformUnanswered || error instanceof RecognizerSilent || isFaultOfMachine(error)) {
    onFault(error, claim);
    // A silent platform is not this machine's fault, and the machine can still transcribe sent media.
    if (!(error instanceof PlatformUnanswered)) health.failed();
    return release(false, !(error instanceof PlatformUnanswered && error.isProbe));
  }
  if (error instanceof ServiceError && error.reason === "platformBusy") {
    needs.platform.busy(error.retryAfter ?? 1);
    return release(false, false);
  }
  if (error instanceof ServiceError && error.code !== "internalError") {
    const { status, reason } = error;
    // A retranscription isn't tried again with this recognizer, which can't recognize the reel; a first transcription may
    // always be tried.
    const isFinal = claim.retranscribes && status === 422 && reason !== "platformNotSetUp";
    return fail(failureOf(error), isFinal ? refuse : undefined);
  }
  onFault(error, claim);
  return claim.mayRetry ? release(true) : fail(broken);
}

const failureOf = ({ code, status, message, reason, retryAfter }: ServiceError): Failure => ({
  code,
  status,
  message,
  reason,
  retryAfter,
});

/**
 * Puts the reel back until its platform or recognizer may answer again. False when it has waited long enough, or when
 * the reel itself seems at fault.
 */
async function waitOut(
  needs: WorkOnClaimNeeds,
  claim: Claim,
  error: PlatformAway | RecognizerAway,
  { failure, begunAt, signal, untilStored }: Settling & { readonly failure: Failure },
): Promise<boolean> {
  const { store, clock, outages } = needs;
  const platform = error instanceof PlatformAway ? claim.reel.platform : undefined;
  const needed: Needed =
    error instanceof RecognizerAway
      ? { kind: "recognizer", name: error.language }
      : { kind: "platform", name: platform };
  const waitedSince = waitedFor(claim, needed.kind);
  const since = waitedSince ?? clock.now();
  const kind = error instanceof PlatformAway ? error.kind : undefined;
  if (waitedSince !== undefined && kind !== "resting") {
    // Other reels got an answer in the meantime, so this reel seems at fault.
    if (outages.hasAnsweredSince(needed, since) && !outages.wasAwaySince(needed, begunAt)) return false;
    if (kind === "silent" && (await answersAboutAnother(needs, claim, signal))) outages.answered(needed);
  }
  if (!outages.hasAnsweredSince(needed, begunAt)) outages.failed(needed, error);
  const resumeAt = outages.resumeAt(since);
  if (resumeAt === undefined) {
    const before = outages.overdueSince();
    await store.transcriptions.endOverdue(failure, { waitingFor: needed.kind, platform, before, now: clock.now() });
    return false;
  }
  const until =
    kind === "refused" ? new Date(Math.max(resumeAt.getTime(), clock.now().getTime() + refusedMilliseconds)) : resumeAt;
  // The endpoint of one language says nothing about reels whose language isn't known.
  const isShared = needed.kind === "platform" || needed.name === undefined;
  const waiting = { until, since, waitingFor: needed.kind, isShared };
  return untilStored(() => store.transcriptions.postpone(claim, waiting));
}

/**
 * Puts the reel back until its media may be read again. False when it has waited long enough. What the storage refuses is
 * logged by its adapter.
 */
async function waitForStorage(
  { store, clock, outages, onFault }: WorkOnClaimNeeds,
  claim: Claim,
  error: SentMediaAway,
  { untilStored }: Settling,
): Promise<boolean> {
  const isShared = error.cause instanceof ObjectsAway;
  if (!isShared) onFault(error, claim);
  const since = waitedFor(claim, "storage") ?? clock.now();
  const until = outages.resumeAt(since);
  if (until === undefined) return false;
  const waiting = { until, since, waitingFor: "storage", isShared } as const;
  return untilStored(() => store.transcriptions.postpone(claim, waiting));
}

/** Each dependency has its own time: one that was away before, and is back, says nothing about the next one. */
const waitedFor = ({ away }: Claim, dependency: AwaitedDependency): Date | undefined =>
  away?.dependency === dependency ? away.since : undefined;

/**
 * True if the platform still answers about the last reel that it provided. With a single reel in the queue, nothing else
 * distinguishes an outage from a reel that never gets an answer; such a reel fails at its next try.
 */
async function answersAboutAnother(
  { source, outages }: WorkOnClaimNeeds,
  { reel }: Claim,
  signal: AbortSignal,
): Promise<boolean> {
  const another = outages.lastFetched(reel.platform);
  if (another === undefined || another.mediaId === reel.mediaId) return false;
  try {
    await source.resolve(another, AbortSignal.any([signal, AbortSignal.timeout(comparisonMilliseconds)]));
    return true;
  } catch (error) {
    return error instanceof ServiceError && error.code === "notFound";
  }
}

/** The cause is for callers; the model and the remedy are for the operator. */
function notRecognized({ language, isUnread, isUnnamed }: SpeechNotRecognized, { reel }: Claim): Failure {
  const media = reel.platform === filePlatform ? "file" : "reel";
  const code = supportedLanguage(language);
  const name = code && languages[code];
  const helps = isUnnamed && code !== undefined ? ` ${draftHint(code)}` : "";
  const message =
    name !== undefined && isUnread
      ? `We can't transcribe ${name} reliably with the current model.${helps} You weren't charged.`
      : `We couldn't make out the speech in this ${media}${name === undefined ? "" : `, which sounds like ${name}`}. You weren't charged.`;
  return { code: "invalidRequest", status: 422, message, reason: "speechNotRecognized" };
}

/** An error about a reel's media, as the sender of a file reads it. */
function asFileError(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== "invalidRequest") return error;
  const { cause, message, status } = error;
  if (cause instanceof WhisperError && cause.code === "brokenOff") return contentError("mediaBrokenOff");
  const { reason } = error as ServiceError<"invalidRequest">;
  return new ServiceError("invalidRequest", message.replaceAll("reel", "file"), {
    reason: reason as "unreadableMedia", // safe: it is the reason of the same code
    status: status as 422,
    cause,
  });
}
