import type {
  Accounts,
  Clock,
  Decision,
  FailedWork,
  Failure,
  OperatorQueue,
  RecognizerVersion,
  Transcriptions,
} from "../../ports.ts";
import { refusalKey } from "../../recognition/recognizer-of.ts";
import { allowanceOf } from "../../rules/allowance.ts";

interface RetryNeeds {
  readonly accounts: Accounts;
  readonly operatorQueue: OperatorQueue;
  readonly transcriptions: Transcriptions;
  readonly clock: Clock;
  readonly recognizer: RecognizerVersion;
}

/** The error for callers of a transcription that an operator canceled. */
export const canceledByOperator: Failure = {
  code: "unavailable",
  status: 503,
  message: "The operator of this service canceled the transcription. You weren't charged.",
};

type Retried =
  /** It was queued, and any worker may take it now. */
  | { readonly kind: "hurried"; readonly id: string }
  /** It had failed, and is in the queue again under a new id. */
  | { readonly kind: "started"; readonly id: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "inProgress" | "limitReached" | "impossible"; readonly message: string };

/** The limits for callers don't apply to the operator. */
const noLimit = 1_000_000;

/** Lets workers take a transcription that waits for an outage, or starts a failed one again for its account and key. */
export async function retryTranscription(needs: RetryNeeds, id: string, decision: Decision): Promise<Retried> {
  const { operatorQueue } = needs;
  if (await operatorQueue.hurry(id, decision)) return { kind: "hurried", id };
  const failed = await operatorQueue.findFailed(id);
  return failed === undefined ? { kind: "unknown" } : startAgain(needs, id, failed, decision);
}

async function startAgain(
  { accounts, operatorQueue, transcriptions, clock, recognizer }: RetryNeeds,
  id: string,
  { reel, languageHint, accountId, slot, isSent }: FailedWork,
  decision: Decision,
): Promise<Retried> {
  if (isSent)
    return { kind: "impossible", message: "Its media were sent by a browser and are gone. It must be sent again." };
  const account = accountId === null ? undefined : await accounts.find(accountId);
  if (account === undefined) return { kind: "impossible", message: "Its account is gone." };
  if (slot === null)
    return {
      kind: "impossible",
      message: "It was a retranscription, which its account can begin again at any time.",
    };
  await operatorQueue.forgetRefusals(id, reel, decision);
  const outcome = await transcriptions.request({
    reel,
    languageHint,
    // The slot is the one that the quota's scope chose at the first start.
    allowance: allowanceOf(account, slot, "key", clock.now()),
    model: refusalKey(recognizer, languageHint),
    queueLimit: noLimit,
    queueLimitPerAccount: noLimit,
    now: clock.now(),
  });
  switch (outcome.kind) {
    case "started":
      return { kind: "started", id: outcome.transcriptionId };
    case "cached":
      return {
        kind: "impossible",
        message: "The reel has been transcribed since. It is in the account's library.",
      };
    case "inProgress":
      return { kind: "inProgress", message: "The reel is being transcribed already." };
    case "limitReached":
      return { kind: "limitReached", message: `The account ${account.id} has no transcriptions left.` };
    case "refused":
      return { kind: "impossible", message: outcome.failure.message };
    case "accountQueueFull":
    case "queueFull":
      return { kind: "impossible", message: "It can't be queued: the queue is full." };
  }
}
