import type { NotCompared, ReportFindings } from "@reelscript/contract";
import { growingDaysOf, inOrderOfTime, isGrowing, isSettled } from "./ages.ts";
import type { SeenReel } from "./merge-reels.ts";
import { fewestReels, growingDays } from "./thresholds.ts";

/** A reel with the values for its comparisons. */
interface Counted {
  readonly reel: SeenReel;
  readonly count: number;
}

/** The comparable reels of a report, oldest first, and the count to compare. */
export interface Sample {
  readonly outcome: "views" | "likes";
  readonly counted: readonly Counted[];
}

/** Views, or likes if too few views are known; `NotCompared` says why neither is usable. */
export function sampleOf(reels: readonly SeenReel[], collectedAt: Date): Sample | NotCompared {
  const settled = reels.filter((reel) => isSettled(reel, collectedAt)).toSorted(inOrderOfTime);
  const samples = (["views", "likes"] as const).map((outcome): Sample => ({
    outcome,
    counted: settled.flatMap((reel) => {
      const count = reel[outcome];
      return count === null ? [] : [{ reel, count }];
    }),
  }));
  const isLarge = ({ counted }: Sample): boolean => counted.length >= fewestReels;
  const large = hasFewViews(reels) ? samples.find(isLarge) : samples.slice(0, 1).find(isLarge);
  if (large !== undefined) return large;
  const reason = reasonOf(reels);
  const most = Math.max(...samples.map(({ counted }) => counted.length));
  return { reason, reels: reason === "tooFewReels" ? reels.length : most, needed: fewestReels };
}

/** If enough views are known but young, likes are just as young. */
const hasFewViews = (reels: readonly SeenReel[]): boolean =>
  reels.filter(({ views }) => views !== null).length < fewestReels;

function reasonOf(reels: readonly SeenReel[]): NotCompared["reason"] {
  if (reels.length < fewestReels) return "tooFewReels";
  const counts = reels.filter(({ views, likes }) => views !== null || likes !== null);
  return counts.length < fewestReels ? "countsHidden" : "stillGrowing";
}

/** The reels whose counts still grow; `undefined` if there are none. */
export function growingOf(reels: readonly SeenReel[], collectedAt: Date): ReportFindings["growing"] {
  const young = reels.filter((reel) => isGrowing(reel, collectedAt));
  if (young.length === 0) return undefined;
  return {
    reels: young.length,
    days: Math.max(growingDays, ...young.map(growingDaysOf)),
    leftOut: young.filter((reel) => !isSettled(reel, collectedAt)).length,
  };
}
