import { ServiceError } from "@reelscript/contract";
import type { RepairOutcome } from "../../ports.ts";
import { describeFullScript } from "../../describe/describe-full-script.ts";
import type { Handler } from "../../run/run.ts";
import { acceptTranscription } from "./accept-transcription.ts";
import { accountQueueFull } from "./account-queue-full.ts";
import { describeOutcome } from "./describe-outcome.ts";
import { errorOf } from "./error-of.ts";
import { queueFull } from "./queue-full.ts";
import type { QueueNeeds } from "./queue-needs.ts";
import { progressText, waitUntilFinished } from "./wait-until-finished.ts";

/** Seconds after which a call for a reel that is being transcribed usually meets the new transcript. */
const retryAfter = 30;

export const retranscribeScript =
  (needs: QueueNeeds): Handler<"retranscribeScript"> =>
  async ({ input: { id: scriptId }, caller, signal, deadline, respondAsync, onProgress }) => {
    const { store, clock, recognizer, queueLimit, queueLimitPerAccount } = needs;
    const accountId = caller.account.id;

    async function answer(outcome: RepairOutcome) {
      const script = await store.scripts.find(accountId, scriptId);
      if (script === undefined) throw noScript();
      return { ...describeOutcome(outcome), script: describeFullScript(script, recognizer) };
    }

    const started = await store.repairs.request({
      accountId,
      scriptId,
      recognizer,
      queueLimit,
      queueLimitPerAccount,
      now: clock.now(),
    });
    switch (started.kind) {
      case "noScript":
        throw noScript();
      case "current":
        throw new ServiceError(
          "invalidRequest",
          `The running recognizer (${recognizer.model}, revision ${recognizer.revision}) has already transcribed this reel. You can transcribe it again after the next recognizer update.`,
          { reason: "alreadyHeard", status: 422 },
        );
      case "inProgress":
        if (respondAsync && started.transcriptionId !== undefined)
          return acceptTranscription(needs, caller, started.transcriptionId);
        throw new ServiceError(
          "inProgress",
          `This reel is already being transcribed. Call again in about ${retryAfter} seconds.`,
          { reason: "transcriptionRunning", retryAfter },
        );
      case "accountQueueFull":
        throw accountQueueFull(queueLimitPerAccount, retryAfter);
      case "queueFull":
        throw queueFull(retryAfter);
      case "finished":
        await store.repairs.takeOutcome(started.transcriptionId);
        return answer(started.outcome);
      case "started":
    }

    if (respondAsync) return acceptTranscription(needs, caller, started.transcriptionId);
    const finished = await waitUntilFinished(store, started.transcriptionId, {
      signal,
      deadline,
      onState: (state) => onProgress?.({ done: state.progress, message: progressText(state) }),
    });
    if (finished === undefined)
      throw new ServiceError(
        "inProgress",
        `This reel is still being transcribed. Call again in about ${retryAfter} seconds for the result.`,
        { reason: "transcriptionRunning", retryAfter },
      );
    if (finished.state === "failed") throw errorOf(finished.failure);
    const outcome = await store.repairs.takeOutcome(started.transcriptionId);
    if (outcome === undefined) throw new Error(`repair ${started.transcriptionId} is done without an outcome`);
    return answer(outcome);
  };

const noScript = (): ServiceError =>
  new ServiceError("notFound", "You have no script with this id. List your scripts to find it.");
