import type { Comparison } from "@reelscript/contract";
import { shownShare, sureChance } from "./thresholds.ts";

/** A ratio as it is shown: differences that were picked for being large are smaller on the next reels. */
export const shrunk = (ratio: number): number => ratio ** shownShare;

/** Kinds of older reports that don't hold on the next reels. */
const retired: readonly Comparison["kind"][] = ["postingDays", "captionLength"];

/** A comparison as it is shown: shrunk with the end of its interval that is nearer to no difference. */
export function shownComparison(comparison: Comparison): Comparison {
  const { times, low, high, chance } = comparison;
  const clear = comparison.clear && !retired.includes(comparison.kind);
  return {
    ...comparison,
    clear,
    ...(clear && { sureness: chance <= sureChance ? "sure" : "fairly sure" }),
    times: shrunk(times),
    low: low > 1 ? shrunk(low) : low,
    high: high < 1 ? shrunk(high) : high,
  };
}
