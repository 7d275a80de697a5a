/** Does so many things at a time, the others in the order in which they came; throws when too many are waiting. */
export function createTurns({ atATime, waiting: mostWaiting }: { readonly atATime: number; readonly waiting: number }) {
  let under = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (under === atATime) {
      if (waiting.length === mostWaiting) throw new Error(`more than ${mostWaiting} are waiting`);
      // Whoever is done passes the turn on, so that nobody comes between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else under += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else under -= 1;
    }
  };
}
