import type { ReportFindings } from "@reelscript/contract";
import { median } from "./averages.ts";
import type { Sample } from "./sample.ts";
import { outsideRange, reelsForNext, reelsForRange } from "./thresholds.ts";

/** Estimates what the next reel is likely to get, from the newest reels; `undefined` where they are too few to have a range. */
export function nextReelOf({ outcome, counted }: Sample): ReportFindings["nextReel"] {
  const counts = counted.filter(({ reel }) => reel.postedAt !== null).map(({ count }) => count);
  const typical = median(counts.slice(-reelsForNext));
  const newest = counts.slice(-reelsForRange).toSorted((one, other) => one - other);
  // Ranks from 1: a next value falls below rank k of n with probability k / (n + 1).
  const rank = outsideRange * (newest.length + 1);
  if (typical === undefined || rank < 1) return undefined;
  const low = outward(atRank(newest, rank), Math.floor);
  const high = outward(atRank(newest, newest.length + 1 - rank), Math.ceil);
  // A range without width says nothing.
  return low === high ? undefined : { outcome, typical, low, high };
}

const digits = 2;

/** Rounded outward to two digits, so that rounding doesn't narrow the range. */
function outward(count: number, round: (value: number) => number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) + 1 - digits);
  return round(count / unit) * unit;
}

/** Between two ranks, a count between theirs. */
function atRank(sorted: readonly number[], rank: number): number {
  const lower = sorted[Math.floor(rank) - 1]!;
  const upper = sorted[Math.ceil(rank) - 1]!;
  return Math.round(lower + (upper - lower) * (rank - Math.floor(rank)));
}
