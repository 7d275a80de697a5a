/** Timers of more milliseconds fire at once. */
const longestTimer = 2 ** 31 - 1;

/** Waits, or throws the signal's reason as soon as it is aborted. */
export function sleepFor(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(seconds * 1000, longestTimer),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
