import { engagementRate } from "@reelscript/contract";
import type { SeenReel } from "./merge-reels.ts";

export interface Engagement {
  /** Set where comments are hidden, so that engagement is likes per view. */
  readonly from: "likes" | undefined;
  /** Percent; `null` if it isn't known. */
  readonly rateOf: (reel: SeenReel) => number | null;
}

/** One formula for all reels of a report: likes alone if most of the reels with views and likes hide their comments. */
export function engagementOf(reels: readonly SeenReel[]): Engagement {
  const counted = reels.filter(({ views, likes }) => views !== null && likes !== null);
  const hidden = counted.filter(({ comments }) => comments === null).length;
  return hidden > counted.length / 2
    ? { from: "likes", rateOf: (reel) => engagementRate({ views: reel.views, likes: reel.likes, comments: 0 }) }
    : { from: undefined, rateOf: engagementRate };
}
