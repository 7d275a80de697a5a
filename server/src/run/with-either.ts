/**
 * Does `work` with a signal that aborts when one of two does. Not `AbortSignal.any`: on Node 20 a signal that lives as long as
 * the service keeps a trace of each one made from it.
 */
export async function withEither<Result>(
  one: AbortSignal,
  other: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const signals = [one, other];
  const abort = (): void => end.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener("abort", abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  try {
    return await work(end.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}
