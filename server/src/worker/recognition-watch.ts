const shortestStall = 3_000;
/** A busy machine takes longer between two signs of progress, so the timeout is a multiple of the recent usual time. */
const timesTheUsual = 2;
const decay = 0.8;

/** Notices a recognizer that hangs. It works on `atATime` reels at a time, in the order in which their media arrived. */
export function createRecognitionWatch<Work>(atATime: number) {
  const fetched = new Set<Work>();
  let movedAt = 0;
  let usual = 0;
  const patience = (): number => Math.max(shortestStall, timesTheUsual * usual);
  /** True if the recognizer has work and has made no progress for a while. */
  const isStalled = (): boolean => fetched.size > 0 && performance.now() - movedAt > patience();
  function move(): void {
    const now = performance.now();
    if (fetched.size > 0) usual = Math.max(decay * usual, Math.min(now - movedAt, patience()));
    movedAt = now;
  }
  return {
    /** Its media have arrived, or more of them has been recognized. */
    moved(work: Work): void {
      // Another reel that begins to wait isn't a sign of life.
      if (fetched.size === 0 || fetched.has(work)) move();
      fetched.add(work);
    },
    ended(work: Work): void {
      // Returning work that only waited isn't a sign of life either.
      if ([...fetched].slice(0, atATime).includes(work)) move();
      fetched.delete(work);
    },
    isStalled,
    /** The work that is waiting for a stalled recognizer. */
    stranded: (): Work[] => (isStalled() ? [...fetched].slice(atATime) : []),
  };
}
