import { ServiceError } from "@reelscript/contract";
import type { RetranscriptionOutcome, RetranscriptionStart } from "../../ports.ts";
import { orThrow, noSuchScript } from "../../rules/refusals.ts";
import { describeFullScript } from "../../describe/describe-script.ts";
import { Accepted, type Handler } from "../../run/handler.ts";
import { describeOutcome } from "./describe-transcription.ts";
import { acceptTranscription, follow, type ReachedProgress, stillRunning } from "./following/follow.ts";
import { type QueueNeeds, retryAfter } from "./refuse-start.ts";

export const retranscribeScript =
  (needs: QueueNeeds): Handler<"retranscribeScript"> =>
  async (call) => {
    const { store, recognizer } = needs;
    const { caller } = call;
    const accountId = caller.account.id;
    const scriptId = call.input.id;

    async function answer(outcome: RetranscriptionOutcome) {
      const script = await store.scripts.find(accountId, scriptId);
      return { ...describeOutcome(outcome), script: describeFullScript(orThrow(script, noSuchScript), recognizer) };
    }

    const work = await begin(needs, accountId, scriptId);
    if (work.kind === "finished") {
      await store.retranscriptions.takeOutcome(work.transcriptionId);
      return answer(work.outcome);
    }
    const done = await follow(needs, work, call, {
      accept: (id) => acceptTranscription(needs, caller, id),
      late: tooLate,
    });
    if (done instanceof Accepted) return done;
    const outcome = await store.retranscriptions.takeOutcome(done);
    if (outcome === undefined) throw new Error(`retranscription ${done} is done without an outcome`);
    return answer(outcome);
  };

/** Puts the script's reel into the queue, or finds the outcome that the account has not received yet. */
const begin = (
  { store, clock, recognizer, queueLimit, queueLimitPerAccount }: QueueNeeds,
  accountId: string,
  scriptId: string,
): Promise<RetranscriptionStart> =>
  store.retranscriptions.request({
    accountId,
    scriptId,
    recognizer,
    queueLimit,
    queueLimitPerAccount,
    now: clock.now(),
  });

const tooLate = (_transcriptionId: string, progress: ReachedProgress | undefined): ServiceError =>
  new ServiceError("inProgress", `${stillRunning(progress, "Call again")} for the result.`, {
    reason: "transcriptionRunning",
    retryAfter,
  });
