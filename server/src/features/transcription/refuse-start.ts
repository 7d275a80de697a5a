import { ServiceError } from "@reelscript/contract";
import type { AccountCaller } from "../../rules/caller.ts";
import type {
  Allowance,
  RetranscriptionStart,
  TranscriptionOutcome,
  Store,
  Clock,
  RecognizerVersion,
} from "../../ports.ts";
import { errorOf, noSuchScript } from "../../rules/refusals.ts";
import type { QuotaScope } from "../../rules/allowance.ts";
import type { UsualSeconds } from "./following/usual-seconds.ts";

type Refusal = Exclude<
  TranscriptionOutcome | RetranscriptionStart,
  { readonly kind: "cached" | "finished" | "started" | "limitReached" }
>;

/** Seconds after which a repeated call usually finds the transcript of a reel that is being transcribed. */
export const retryAfter = 30;

/** Why a reel isn't put into the queue, as its caller meets it. */
export function refuseStart(
  refusal: Refusal,
  { queueLimitPerAccount, recognizer }: Pick<QueueNeeds, "queueLimitPerAccount" | "recognizer">,
): ServiceError {
  switch (refusal.kind) {
    case "inProgress":
      return new ServiceError(
        "inProgress",
        `This reel is already being transcribed. Call again in about ${retryAfter} seconds; the result is then free.`,
        { reason: "transcriptionRunning", retryAfter, transcriptionId: refusal.transcriptionId },
      );
    case "accountQueueFull":
      return new ServiceError(
        "rateLimited",
        `Your account already has ${queueLimitPerAccount} reels waiting to be transcribed, which is the most it may have. Try again in ${retryAfter} seconds; you weren't charged.`,
        { reason: "accountQueueFull", retryAfter },
      );
    case "queueFull":
      return new ServiceError(
        "unavailable",
        `Too many reels are waiting to be transcribed. Try again in ${retryAfter} seconds; you weren't charged.`,
        { reason: "queueFull", retryAfter },
      );
    case "refused":
      return errorOf(refusal.failure);
    case "noScript":
      return noSuchScript();
    case "current":
      return new ServiceError(
        "invalidRequest",
        `The running recognizer (${recognizer.model}, revision ${recognizer.revision}) has already transcribed this reel. You can transcribe it again after the next recognizer update.`,
        { reason: "alreadyHeard" },
      );
  }
}

/** Why no unit is left for a fresh transcription. */
export function refuseUse(
  { subject, limit, resetsAt }: Allowance,
  { account }: Pick<AccountCaller, "account">,
): ServiceError {
  const reset =
    resetsAt === null ? "It never resets on the Free plan" : `It resets on ${resetsAt.toISOString().slice(0, 10)}`;
  return new ServiceError(
    "limitReached",
    `All ${limit} transcriptions of this ${subject.slot === 0 ? "account" : "key"}'s allowance on the ${account.plan} plan are used or held by running ones. ${reset}; upgrading raises the limit. Cached reels stay free.`,
    { reason: "transcriptionsUsed" },
  );
}

/** Needs of every operation that queues a reel. */
export interface QueueNeeds {
  readonly usualSeconds: UsualSeconds;
  readonly store: Store;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
  readonly recognizer: RecognizerVersion;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
}
