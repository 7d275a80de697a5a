/**
 * Reads once for callers that ask for the same thing together. A caller that comes while a reading is under way joins the
 * next one, because what is being read may already be older than the call.
 */
export function joinedReads<Result>(read: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  const next = new Map<string, Promise<Result>>();
  const start = (key: string): Promise<Result> => {
    const reading = read(key).finally(() => {
      if (running.get(key) === reading) running.delete(key);
    });
    running.set(key, reading);
    return reading;
  };
  return (key) => {
    const current = running.get(key);
    if (current === undefined) return start(key);
    const known = next.get(key);
    if (known !== undefined) return known;
    const startNext = (): Promise<Result> => {
      next.delete(key);
      return start(key);
    };
    const following = current.then(startNext, startNext);
    next.set(key, following);
    return following;
  };
}
