import { ServiceError } from "@reelscript/contract";
import type { RetranscriptionOutcome } from "../../ports.ts";
import { known, noSuchScript } from "../../rules/refusals.ts";
import { describeFullScript } from "../../describe/describe-script.ts";
import type { Handler } from "../../run/handler.ts";
import { acceptTranscription } from "./get-transcription.ts";
import { type QueueNeeds, refuseStart, retryAfter } from "./refuse-start.ts";
import { describeOutcome } from "./describe-transcription.ts";
import { type ReachedProgress, stillRunning, waitUntilDone } from "./wait-until-finished.ts";

export const retranscribeScript =
  (needs: QueueNeeds): Handler<"retranscribeScript"> =>
  async ({ input: { id: scriptId }, caller, signal, deadline, respondAsync, onProgress, whileWaiting }) => {
    const { store, clock, recognizer, queueLimit, queueLimitPerAccount } = needs;
    const accountId = caller.account.id;

    async function answer(outcome: RetranscriptionOutcome) {
      const script = await store.scripts.find(accountId, scriptId);
      return { ...describeOutcome(outcome), script: describeFullScript(known(script, noSuchScript), recognizer) };
    }

    const started = await store.retranscriptions.request({
      accountId,
      scriptId,
      recognizer,
      queueLimit,
      queueLimitPerAccount,
      now: clock.now(),
    });
    if (started.kind === "finished") {
      await store.retranscriptions.takeOutcome(started.transcriptionId);
      return answer(started.outcome);
    }
    const isUnderWay = started.kind === "started" || started.kind === "inProgress";
    if (respondAsync && isUnderWay && started.transcriptionId !== undefined)
      return acceptTranscription(needs, caller, started.transcriptionId);
    if (started.kind !== "started") throw refuseStart(started, needs);
    const late = (reached: ReachedProgress | undefined) =>
      new ServiceError("inProgress", `${stillRunning(reached, "Call again")} for the result.`, {
        reason: "transcriptionRunning",
        retryAfter,
      });
    await waitUntilDone(store, started.transcriptionId, { signal, deadline, whileWaiting, onProgress }, late);
    const outcome = await store.retranscriptions.takeOutcome(started.transcriptionId);
    if (outcome === undefined) throw new Error(`retranscription ${started.transcriptionId} is done without an outcome`);
    return answer(outcome);
  };
