import { ServiceError } from "@reelscript/contract";
import type { RetranscriptionOutcome } from "../../ports.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import { describeFullScript } from "../../describe/describe-script.ts";
import type { Handler } from "../../run/handler.ts";
import { acceptTranscription } from "./get-transcription.ts";
import { type QueueNeeds, refuseStart, retryAfter } from "./refuse-start.ts";
import { describeOutcome, errorOf } from "./describe-transcription.ts";
import { progressText, waitUntilFinished } from "./wait-until-finished.ts";

export const retranscribeScript =
  (needs: QueueNeeds): Handler<"retranscribeScript"> =>
  async ({ input: { id: scriptId }, caller, signal, deadline, respondAsync, onProgress }) => {
    const { store, clock, recognizer, queueLimit, queueLimitPerAccount } = needs;
    const accountId = caller.account.id;

    async function answer(outcome: RetranscriptionOutcome) {
      const script = await store.scripts.find(accountId, scriptId);
      if (script === undefined) throw noSuchScript();
      return { ...describeOutcome(outcome), script: describeFullScript(script, recognizer) };
    }

    const started = await store.retranscriptions.request({
      accountId,
      scriptId,
      recognizer,
      queueLimit,
      queueLimitPerAccount,
      now: clock.now(),
    });
    switch (started.kind) {
      case "inProgress":
        if (respondAsync && started.transcriptionId !== undefined)
          return acceptTranscription(needs, caller, started.transcriptionId);
        throw refuseStart(started, needs);
      case "finished":
        await store.retranscriptions.takeOutcome(started.transcriptionId);
        return answer(started.outcome);
      case "accountQueueFull":
      case "queueFull":
      case "current":
      case "noScript":
        throw refuseStart(started, needs);
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
    const outcome = await store.retranscriptions.takeOutcome(started.transcriptionId);
    if (outcome === undefined) throw new Error(`retranscription ${started.transcriptionId} is done without an outcome`);
    return answer(outcome);
  };
