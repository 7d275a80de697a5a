import type { Claim } from "../ports.ts";

const firstPause = 1_000;
const longestPause = 30_000;
/** What so many workers gave back is fetched to its end by the next one: the platform may answer nobody. */
const mostSetbacks = 3;

/** Whether the platform answers this worker, and what that means for what it claims. */
export interface PlatformHealth {
  /** Not while it rests, and then one reel at a time. Without a well worker beside it, it never rests. */
  mayClaim(inHand: number): boolean;
  isWell(): boolean;
  /** Whether another worker may get an answer where this one gets none. */
  mayPassOn(claim: Claim): boolean;
  answered(): void;
  /** Each time in a row the worker rests for longer. */
  unanswered(): void;
}

export function createPlatformHealth(hasWellFellow: () => boolean): PlatformHealth {
  let isWell = true;
  let rests = 0;
  let restsUntil = 0;
  return {
    mayClaim: (inHand) => isWell || !hasWellFellow() || (inHand === 0 && performance.now() >= restsUntil),
    isWell: () => isWell,
    mayPassOn: ({ setbacks, repairs, crashed }) =>
      hasWellFellow() && setbacks < mostSetbacks && repairs !== true && crashed !== true,
    answered() {
      isWell = true;
      rests = 0;
      restsUntil = 0;
    },
    unanswered() {
      isWell = false;
      const now = performance.now();
      // Where nobody gets an answer, nobody rests; and what was in hand together counts once.
      if (!hasWellFellow() || now < restsUntil) return;
      restsUntil = now + Math.min(longestPause, firstPause * 2 ** rests);
      rests = Math.min(rests + 1, 10);
    },
  };
}
