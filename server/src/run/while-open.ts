/** Does work, and aborts its controller when the service closes, with the reason of that. */
export type WhileOpen = <Result>(controller: AbortController, work: () => Promise<Result>) => Promise<Result>;

/**
 * One listener serves all calls, because a listener and a signal for each call would cost more than the call's own.
 * Not `AbortSignal.any`: on Node 20 a signal that lives as long as the service keeps a trace of each one made from
 * it.
 */
export function createWhileOpen(closing: AbortSignal): WhileOpen {
  const open = new Set<AbortController>();
  closing.addEventListener("abort", () => {
    for (const controller of open) controller.abort(closing.reason);
  });
  return async (controller, work) => {
    if (closing.aborted) controller.abort(closing.reason);
    open.add(controller);
    try {
      return await work();
    } finally {
      open.delete(controller);
    }
  };
}

/** An answer over HTTP, as far as its end can be seen. */
interface SentAnswer {
  readonly writableFinished: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** Aborted when the connection closes before the answer is sent. */
export function goneWith(response: SentAnswer): AbortController {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone;
}
