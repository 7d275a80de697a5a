import { ServiceError } from "@reelscript/contract";
import type { RetranscriptionOutcome } from "../../ports.ts";
import { orThrow, noSuchScript } from "../../rules/refusals.ts";
import { describeFullScript } from "../../describe/describe-script.ts";
import { Accepted, type Entry } from "../../run/handler.ts";
import { describeOutcome } from "./describe-transcription.ts";
import { type QueueNeeds, retryAfter } from "./refuse-start.ts";
import { acceptTranscription, enterRetranscribeScript } from "./waiting/entries.ts";
import { type ReachedProgress, stillRunning, waitForWork } from "./waiting/wait-until-finished.ts";
import type { CallerWait } from "./waiting/waiting.ts";

export const retranscribeScript = (needs: QueueNeeds): Entry<"retranscribeScript", CallerWait> =>
  enterRetranscribeScript(async ({ input: { id: scriptId }, caller, signal, whileWaiting }, wait) => {
    const { store, clock, recognizer, queueLimit, queueLimitPerAccount } = needs;
    const accountId = caller.account.id;

    async function answer(outcome: RetranscriptionOutcome) {
      const script = await store.scripts.find(accountId, scriptId);
      return { ...describeOutcome(outcome), script: describeFullScript(orThrow(script, noSuchScript), recognizer) };
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
    const done = await waitForWork(needs, started, { signal, whileWaiting }, wait, {
      accept: (id) => acceptTranscription(needs, caller, id),
      late: tooLate,
    });
    if (done instanceof Accepted) return done;
    const outcome = await store.retranscriptions.takeOutcome(done);
    if (outcome === undefined) throw new Error(`retranscription ${done} is done without an outcome`);
    return answer(outcome);
  });

const tooLate = (_transcriptionId: string, reached: ReachedProgress | undefined): ServiceError =>
  new ServiceError("inProgress", `${stillRunning(reached, "Call again")} for the result.`, {
    reason: "transcriptionRunning",
    retryAfter,
  });
