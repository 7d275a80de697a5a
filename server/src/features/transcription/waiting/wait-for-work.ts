import type { ServiceError } from "@reelscript/contract";
import type { RetranscriptionStart, TranscriptionOutcome } from "../../../ports.ts";
import type { Accepted, HandlerContext } from "../../../run/handler.ts";
import { type QueueNeeds, refuseStart } from "../refuse-start.ts";
import { type ReachedProgress, waitUntilDone } from "./wait-until-finished.ts";
import type { Wait } from "./waiting.ts";

/** Work that a call began or met, or why there is none. */
type Work = Exclude<
  TranscriptionOutcome | RetranscriptionStart,
  { readonly kind: "cached" | "finished" | "limitReached" }
>;

interface WorkAnswers {
  /** Shows the work to a caller who doesn't wait. */
  readonly accept: (transcriptionId: string) => Promise<Accepted>;
  /** The error for a caller who can wait no longer. */
  readonly late: (transcriptionId: string, reached: ReachedProgress | undefined) => ServiceError;
}

/**
 * Waits for work as `waiters` says, until it is done: its id. Returns `Accepted` to a caller who doesn't wait. Throws why
 * nothing was begun, why the work failed, and `late`. Only work of the account itself has an id.
 */
export async function waitForWork(
  needs: QueueNeeds,
  work: Work,
  { signal, whileWaiting }: Pick<HandlerContext, "signal" | "whileWaiting">,
  { waiter, begun, onProgress }: Wait,
  { accept, late }: WorkAnswers,
): Promise<Accepted | string> {
  const isPatient = waiter.thenGets === "inProgress";
  const follow = async (id: string, seconds: number): Promise<Accepted | string> => {
    if (!isPatient) return accept(id);
    const context = { signal, deadline: begun + seconds * 1_000, whileWaiting, onProgress };
    await waitUntilDone(needs.store, id, context, (reached) => late(id, reached));
    return id;
  };
  if (work.kind === "started") return follow(work.transcriptionId, waiter.seconds);
  const id = work.kind === "inProgress" ? work.transcriptionId : undefined;
  if (id === undefined || (isPatient && waiter.repeatSeconds === 0)) throw refuseStart(work, needs);
  return follow(id, waiter.repeatSeconds);
}
