import type { ServiceError } from "@reelscript/contract";
import type { RetranscriptionStart, TranscriptionOutcome } from "../../../ports.ts";
import type { Accepted, HandlerContext } from "../../../run/handler.ts";
import { type QueueNeeds, refuseStart } from "../refuse-start.ts";
import { type ReachedProgress, waitUntilDone } from "./wait-until-finished.ts";
import type { Wait } from "./waiting.ts";

/** Work that a call began or met, or why there is none. */
type Begun = Exclude<
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
 * Waits for work as `waiting.ts` says, until it is done: its id. A caller who doesn't wait gets `Accepted`. Throws why nothing
 * was begun, why the work failed, and `late`. Only work of the account itself has an id.
 */
export async function waitForWork(
  needs: QueueNeeds,
  begun: Begun,
  { signal, whileWaiting }: Pick<HandlerContext, "signal" | "whileWaiting">,
  { deadline, repeatDeadline, respondAsync, onProgress }: Wait,
  { accept, late }: WorkAnswers,
): Promise<Accepted | string> {
  const wait = async (id: string, until: number): Promise<string> => {
    const context = { signal, deadline: until, whileWaiting, onProgress };
    await waitUntilDone(needs.store, id, context, (reached) => late(id, reached));
    return id;
  };
  if (begun.kind === "started")
    return respondAsync ? accept(begun.transcriptionId) : wait(begun.transcriptionId, deadline);
  const id = begun.kind === "inProgress" ? begun.transcriptionId : undefined;
  if (id !== undefined && respondAsync) return accept(id);
  if (id !== undefined && repeatDeadline !== undefined) return wait(id, repeatDeadline);
  throw refuseStart(begun, needs);
}
