/** Ends early when stopped or woken, and leaves nothing behind. */
export function pause(milliseconds: number, stopped: AbortSignal, woken?: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    stopped.addEventListener("abort", finish);
    void woken?.then(finish);
    if (stopped.aborted) finish();
  });
}
