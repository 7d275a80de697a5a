import type { Comparison } from "@reelscript/contract";
import { shownShare, sureChance } from "./thresholds.ts";

/** A ratio as it is shown: differences that were picked for being large are smaller on later reels. */
const shrunk = (ratio: number): number => ratio ** shownShare;

/** Kinds in older reports that don't hold on later reels. */
const retired: readonly Comparison["kind"][] = ["postingDays", "captionLength"];

/**
 * A comparison as it is shown. Those of earlier reports, which weren't forecast for the next reels, are shrunk: the ratio, and the
 * end of its interval that is nearer to 1.
 */
export function shownComparison(comparison: Comparison): Comparison {
  if (comparison.again !== undefined) return comparison;
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
