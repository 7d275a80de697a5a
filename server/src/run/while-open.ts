export type WhileOpen = ReturnType<typeof createWhileOpen>;

/**
 * Does work whose controller is also aborted when `closing` is, with its reason. One listener serves all: adding and removing one per
 * call, and a third signal, would cost more than the call's own.
 */
export function createWhileOpen(closing: AbortSignal) {
  const open = new Set<AbortController>();
  closing.addEventListener("abort", () => {
    for (const controller of open) controller.abort(closing.reason);
  });
  return async <Result>(controller: AbortController, work: () => Promise<Result>): Promise<Result> => {
    if (closing.aborted) controller.abort(closing.reason);
    open.add(controller);
    try {
      return await work();
    } finally {
      open.delete(controller);
    }
  };
}
