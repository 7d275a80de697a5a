import type { Claim } from "../ports.ts";

const firstPause = 1_000;
const longestPause = 30_000;
/**
 * After this many setbacks the next worker keeps the reel until it is done or failed, because the platform may answer
 * nobody.
 */
const mostSetbacks = 3;
/** From this many setbacks on, giving a reel back uses up an attempt. */
const setbacksThatCount = 5;
/** A healthy worker takes the next reel within this time, however busy it is. */
const longestWait = 10 * 60_000;
const mostWaits = 1_000;

/** Whether the platform answers this worker, and so which reels it may claim (docs/decisions/queue.md). */
export interface PlatformHealth {
  /**
   * The reason to claim nothing: reels wait for a turn at the platform, or the worker rests because the platform was
   * silent to it, and then tries one reel at a time. It never rests while no other worker is healthy.
   */
  obstacle(inHand: number): "platformBusy" | "platformSilent" | undefined;
  isWell(): boolean;
  /**
   * True if another worker may get an answer where this one gets none. A worker that got none the last time either is only
   * probing: it leaves the reel to healthy workers, even while all of them are busy, but not forever.
   */
  mayPassOn(claim: Claim, isProbe: boolean): boolean;
  /** The platform responded, or another source had the reel. */
  answered(): void;
  /** Claims nothing for this long: reels wait for the platform in the queue, which is fair. */
  busy(seconds: number): void;
  /** The worker rests longer after each failure in a row: 1 s, 2 s, up to 30 s. */
  unanswered(): void;
}

export function createPlatformHealth(hasWellFellow: () => boolean): PlatformHealth {
  let isWell = true;
  let rests = 0;
  let restsUntil = 0;
  let busyUntil = 0;
  const firstWaitById = new Map<string, number>();

  function mayWait({ transcriptionId, setbacks }: Claim): boolean {
    const now = performance.now();
    const since = firstWaitById.get(transcriptionId) ?? now;
    firstWaitById.set(transcriptionId, since);
    const [oldest] = firstWaitById.keys();
    if (firstWaitById.size > mostWaits && oldest !== undefined) firstWaitById.delete(oldest);
    return setbacks < setbacksThatCount && now - since < longestWait;
  }

  return {
    obstacle(inHand) {
      if (performance.now() < busyUntil) return "platformBusy";
      const mayTry = isWell || !hasWellFellow() || (inHand === 0 && performance.now() >= restsUntil);
      return mayTry ? undefined : "platformSilent";
    },
    isWell: () => isWell,
    mayPassOn(claim, isProbe) {
      if (claim.retranscribes === true || claim.crashed === true || !hasWellFellow()) return false;
      return isProbe ? mayWait(claim) : claim.setbacks < mostSetbacks;
    },
    answered() {
      isWell = true;
      rests = 0;
      restsUntil = 0;
      firstWaitById.clear();
    },
    busy(seconds) {
      busyUntil = performance.now() + seconds * 1_000;
    },
    unanswered() {
      isWell = false;
      const now = performance.now();
      // If no worker gets an answer, none rests. Failures of reels that ran at the same time count once.
      if (!hasWellFellow() || now < restsUntil) return;
      restsUntil = now + Math.min(longestPause, firstPause * 2 ** rests);
      rests = Math.min(rests + 1, 10);
    },
  };
}
