import type { Claim } from "../ports.ts";

const firstPause = 1_000;
const longestPause = 30_000;
/** After so many setbacks the next worker keeps the reel to its end: the platform may answer nobody. */
const mostSetbacks = 3;
/** From this number on, giving back uses up tries. */
const setbacksThatCount = 5;
/** No well worker is busy for longer without taking what is next. */
const longestWait = 10 * 60_000;
const mostWaits = 1_000;

export type PlatformHealth = ReturnType<typeof createPlatformHealth>;

/** Tracks if the platform answers this worker, and so which reels it may claim (docs/decisions/queue.md). */
export function createPlatformHealth(hasWellFellow: () => boolean) {
  let isWell = true;
  let rests = 0;
  let restsUntil = 0;
  let busyUntil = 0;
  const waits = new Map<string, number>();

  function mayWait({ transcriptionId, setbacks }: Claim): boolean {
    const now = performance.now();
    const since = waits.get(transcriptionId) ?? now;
    waits.set(transcriptionId, since);
    const [oldest] = waits.keys();
    if (waits.size > mostWaits && oldest !== undefined) waits.delete(oldest);
    return setbacks < setbacksThatCount && now - since < longestWait;
  }

  return {
    /** False while it rests; then one reel at a time. Without another worker that is well, it never rests. */
    mayClaim: (inHand: number): boolean =>
      performance.now() >= busyUntil &&
      (isWell || !hasWellFellow() || (inHand === 0 && performance.now() >= restsUntil)),
    isWell: (): boolean => isWell,
    /**
     * True if another worker may get an answer where this one gets none. A probe, by a worker that got none the last time
     * either, leaves the reel to workers that are well, also while all of them are busy, but not forever.
     */
    mayPassOn(claim: Claim, isProbe: boolean): boolean {
      if (claim.retranscribes === true || claim.crashed === true || !hasWellFellow()) return false;
      return isProbe ? mayWait(claim) : claim.setbacks < mostSetbacks;
    },
    /** The platform responded, or another source had the reel. */
    answered(): void {
      isWell = true;
      rests = 0;
      restsUntil = 0;
      waits.clear();
    },
    /** Claims nothing for this long: reels wait for the platform in the queue, which is fair. */
    busy(seconds: number): void {
      busyUntil = performance.now() + seconds * 1_000;
    },
    /** The worker rests longer after each failure in a row. */
    unanswered(): void {
      isWell = false;
      const now = performance.now();
      // If no worker gets an answer, none rests; and failures of reels in hand together count once.
      if (!hasWellFellow() || now < restsUntil) return;
      restsUntil = now + Math.min(longestPause, firstPause * 2 ** rests);
      rests = Math.min(rests + 1, 10);
    },
  };
}
