import { ServiceError } from "@reelscript/contract";
import type { Allowance, TranscriptionOutcome } from "../../ports.ts";
import { accountQueueFull } from "./account-queue-full.ts";
import { errorOf } from "./error-of.ts";
import { queueFull } from "./queue-full.ts";

type Refusal = Exclude<TranscriptionOutcome, { readonly kind: "cached" | "started" }>;

/** Seconds after which a call for a reel that is being transcribed usually meets the cache. */
const retryAfter = 30;

/** Why media that were sent are not transcribed. */
export function refuseStart(refusal: Refusal, { limit }: Allowance, queueLimitPerAccount: number): ServiceError {
  switch (refusal.kind) {
    case "inProgress":
      return new ServiceError("inProgress", `You sent this reel already, and it is being transcribed.`, {
        reason: "transcriptionRunning",
        retryAfter,
      });
    case "limitReached":
      return new ServiceError(
        "limitReached",
        `All ${limit} transcriptions of your plan are used or held by running ones. Upgrading raises the limit.`,
        { reason: "transcriptionsUsed" },
      );
    case "accountQueueFull":
      return accountQueueFull(queueLimitPerAccount, retryAfter);
    case "queueFull":
      return queueFull(retryAfter);
    case "refused":
      return errorOf(refusal.failure);
  }
}
