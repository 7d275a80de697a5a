import type { SeenReel } from "./merge-reels.ts";
import { growingDays, settledHours, slowlyGrowingDays } from "./thresholds.ts";

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

export const growingDaysOf = ({ platform }: SeenReel): number =>
  platform === "youtube" ? slowlyGrowingDays : growingDays;

/** True if the reel is so old that it can have fewer views than newer ones only because people watched it less. */
export const isGrown = (reel: SeenReel, collectedAt: Date): boolean =>
  isOlder(reel, slowlyGrowingDays * day, collectedAt);

/** Oldest first; those without a date come last. */
export const inOrderOfTime = (one: SeenReel, other: SeenReel): number =>
  momentOf(one) - momentOf(other) || (one.url < other.url ? -1 : 1);

const momentOf = ({ postedAt }: SeenReel): number => postedAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
