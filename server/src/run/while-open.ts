/** Runs work, and aborts its controller with the service's reason when the service closes. */
export type WhileOpen = <Result>(controller: AbortController, work: () => Promise<Result>) => Promise<Result>;

/**
 * One listener serves all calls, because a listener and a signal per call would cost more than the call's own.
 * `AbortSignal.any` is no alternative: on Node 20 a signal that lives as long as the service keeps a trace of each signal made
 * from it.
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

/** An HTTP response, as far as its end can be observed. */
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
