import type { NotCompared, ReportFindings } from "@reelscript/contract";
import type { SeenReel } from "./merge-reels.ts";
import { fewestReels, growingDays, settledHours, slowlyGrowingDays } from "./thresholds.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** The facts on which the age of a reel depends. */
interface DatedReel {
  readonly platform: string | null;
  readonly postedAt: Date | null;
}

/** True if the reel is at least so old; a reel without a date counts as old. */
const isOlder = ({ postedAt }: DatedReel, milliseconds: number, collectedAt: Date): boolean =>
  postedAt === null || collectedAt.getTime() - postedAt.getTime() > milliseconds;

/** True if the reel is old enough for its counts to be compared. Videos of YouTube grow for weeks. */
export const isSettled = (reel: DatedReel, collectedAt: Date): boolean =>
  isOlder(reel, reel.platform === "youtube" ? slowlyGrowingDays * day : settledHours * hour, collectedAt);

/** True if the reel is so young that its counts still grow noticeably. */
export const isGrowing = (reel: SeenReel, collectedAt: Date): boolean =>
  !isOlder(reel, growingDaysOf(reel) * day, collectedAt);

const growingDaysOf = ({ platform }: SeenReel): number => (platform === "youtube" ? slowlyGrowingDays : growingDays);

/** True if the reel is so old that it can have fewer views than newer ones only because people watched it less. */
export const isGrown = (reel: SeenReel, collectedAt: Date): boolean =>
  isOlder(reel, slowlyGrowingDays * day, collectedAt);

/** Oldest first; those without a date come last. */
export const inOrderOfTime = (one: SeenReel, other: SeenReel): number =>
  momentOf(one) - momentOf(other) || (one.url < other.url ? -1 : 1);

const momentOf = ({ postedAt }: SeenReel): number => postedAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

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
  const settledReels = reels.filter((reel) => isSettled(reel, collectedAt)).toSorted(inOrderOfTime);
  const samples = (["views", "likes"] as const).map((outcome): Sample => ({
    outcome,
    counted: settledReels.flatMap((reel) => {
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
