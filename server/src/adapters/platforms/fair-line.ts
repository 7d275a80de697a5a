/**
 * Serves one caller at a time, alternating between accounts, so that every other account gets a turn between two of the same
 * account.
 */
export interface FairLine {
  /**
   * Waits for a turn and returns the function that ends it. `undefined` when it doesn't come within `seconds`, or when
   * `mostWaiting` of the account wait already. Throws the signal's reason.
   */
  enter(
    accountId: string,
    wait: { readonly signal: AbortSignal; readonly seconds: number; readonly mostWaiting: number },
  ): Promise<(() => void) | undefined>;
}

export function createFairLine(): FairLine {
  let isTaken = false;
  /** The account whose turn is next comes first. */
  const lines = new Map<string, Set<() => void>>();

  function next(): void {
    const [first] = lines;
    if (first === undefined) {
      isTaken = false;
      return;
    }
    const [accountId, line] = first;
    const [begin] = line;
    lines.delete(accountId);
    if (begin === undefined) return next();
    line.delete(begin);
    if (line.size > 0) lines.set(accountId, line);
    begin();
  }

  function wait(accountId: string, line: Set<() => void>, signal: AbortSignal, seconds: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        line.delete(begin);
        if (line.size === 0 && lines.get(accountId) === line) lines.delete(accountId);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const begin = (): void => {
        settle();
        resolve(true);
      };
      const onAbort = (): void => {
        settle();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        settle();
        resolve(false);
      }, seconds * 1_000);
      signal.addEventListener("abort", onAbort);
      line.add(begin);
      lines.set(accountId, line);
    });
  }

  return {
    async enter(accountId, { signal, seconds, mostWaiting }) {
      signal.throwIfAborted();
      if (!isTaken) {
        isTaken = true;
        return next;
      }
      const line = lines.get(accountId) ?? new Set();
      if (line.size >= mostWaiting) return undefined;
      return (await wait(accountId, line, signal, seconds)) ? next : undefined;
    },
  };
}
