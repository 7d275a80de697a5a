import { dayNames, openings, type Comparison } from "@reelscript/contract";
import { isGrown } from "./sample.ts";
import { knownValues, median } from "./averages.ts";
import type { Membership } from "./find-differences.ts";
import { createLocalTime, type Traits } from "./traits.ts";
import type { SeenReel } from "./merge-reels.ts";
import { memberOf, type Subject } from "./subjects.ts";
import { coincidence, fewestToCompare, hoursOfBlock, leastSide, newestShares } from "./thresholds.ts";
import { seriesOf, topicsOf } from "./topics.ts";

export interface Group {
  readonly subject: Subject;
  /** The subject of the reels outside the group, where they have one. */
  readonly opposite?: Subject;
  readonly isIn: Membership;
  /** The only direction in which a difference is believed. */
  readonly only?: "more" | "less";
}

export function isLargeEnough({ isIn }: Pick<Group, "isIn">): boolean {
  const sides = [0, 1].map((side) => isIn.filter((one) => one === side).length);
  const fewest = Math.max(fewestToCompare, leastSide * sides.reduce((sum, side) => sum + side, 0));
  return sides.every((side) => side >= fewest);
}

/** The blocks of the day, as hours of the clock. */
export const blocks = Array.from({ length: 24 / hoursOfBlock }, (_, block) => ({
  from: block * hoursOfBlock,
  to: ((block + 1) * hoursOfBlock) % 24,
}));

/** When reels were posted. */
export const timeGroups = (traits: readonly Traits[]): Group[] => [
  ...blocks.map((hours) => groupOf(traits, { kind: "postingHours", hours })),
  ...halves(traits, "pause", ({ pauseDays }) => pauseDays),
];

/** The form of a reel, as far as it can be seen without watching it. */
export const formGroups = (traits: readonly Traits[]): Group[] => [
  ...halves(traits, "length", ({ durationSeconds }) => durationSeconds),
  ...halves(traits, "hashtags", ({ hashtags }) => hashtags),
  groupOf(traits, { kind: "hashtags" }, { kind: "hashtags", upTo: 0 }),
];

/** Topics and beginnings of reels. `handle` is the account's own, which is no topic. */
export const contentGroups = (traits: readonly Traits[], handle: string): Group[] => [
  ...topicsOf(
    traits.flatMap(({ topics }) => topics ?? []),
    handle,
  ).map((topic) => groupOf(traits, { kind: "topic", topic })),
  ...seriesOf(
    traits.flatMap(({ title }) => title ?? []),
    handle,
  ).map((topic) => groupOf(traits, { kind: "series", topic })),
  ...openings.map((opening) => groupOf(traits, { kind: "opening", opening })),
  groupOf(traits, { kind: "repost" }),
];

/** Groups by speech, of reels whose words are known. */
export const speechGroups = (traits: readonly Traits[]): Group[] => [
  groupOf(traits, { kind: "speech" }, { kind: "speech", upTo: 0 }),
  ...halves(traits, "pace", ({ wordsPerMinute }) => wordsPerMinute),
  ...openings.map((opening) => groupOf(traits, { kind: "spokenOpening", opening })),
];

function groupOf(traits: readonly Traits[], subject: Subject, opposite?: Subject): Group {
  return { subject, ...(opposite && { opposite }), isIn: traits.map((one) => memberOf(subject, one)) };
}

function halves(
  traits: readonly Traits[],
  kind: Comparison["kind"],
  sizeOf: (traits: Traits) => number | null,
): Group[] {
  const middle = median(knownValues(traits, sizeOf));
  return middle === undefined ? [] : [groupOf(traits, { kind, above: middle }, { kind, upTo: middle })];
}

/**
 * The newest reels against all older ones, of reels oldest first. Newer reels have had less time to gather views: where they got
 * more nevertheless, all reels count, but that they got less is believed only among those that hardly grow any more.
 */
export function trendGroups(
  kind: "views" | "engagement",
  reels: readonly SeenReel[],
  collectedAt: Date,
): readonly Group[] {
  return newestShares.flatMap((share): Group[] =>
    kind === "engagement"
      ? [newest(share, kind, reels, () => true)]
      : [
          { ...newest(share, kind, reels, () => true), only: "more" },
          { ...newest(share, kind, reels, (reel) => isGrown(reel, collectedAt)), only: "less" },
        ],
  );
}

function newest(
  share: number,
  kind: "views" | "engagement",
  reels: readonly SeenReel[],
  counts: (reel: SeenReel) => boolean,
): Group {
  const positions = reels.flatMap((reel, index) => (reel.postedAt !== null && counts(reel) ? [index] : []));
  const older = positions.length - Math.floor(share * positions.length);
  const isIn = reels.map((): -1 | 0 | 1 => -1);
  for (const [order, index] of positions.entries()) isIn[index] = order < older ? 0 : 1;
  return { subject: { kind }, isIn };
}

/** True if a group is nearly all of the newest or of the oldest reels, so that time can't be told from what distinguishes it. */
export function isCourseOfTime({ subject: { kind }, isIn }: Group): boolean {
  if (kind === "views" || kind === "engagement") return false;
  const members = isIn.filter((member) => member !== -1);
  const size = members.filter((member) => member === 1).length;
  const older = members.length - size;
  const late = members.slice(older).filter((member) => member === 1).length;
  const early = members.slice(0, size).filter((member) => member === 1).length;
  // Jaccard of the group and as many of the newest, or of the oldest.
  return [late, early].some((shared) => shared / (2 * size - shared) > coincidence);
}

/** Weekends, in a time zone. */
export function weekendGroup(reels: readonly SeenReel[], timezone: string): Membership {
  const localTime = createLocalTime(timezone);
  const weekend: readonly string[] = dayNames.slice(5);
  return reels.map(({ postedAt }) =>
    postedAt === null ? -1 : weekend.includes(localTime(postedAt).dayOfWeek) ? 1 : 0,
  );
}

/** The reels that followed another one sooner than usual; `reels` are oldest first. */
export function soonGroup(reels: readonly SeenReel[]): Membership {
  const gaps = reels.map(({ postedAt }, index) => {
    const before = reels[index - 1]?.postedAt;
    return postedAt === null || before == null ? null : postedAt.getTime() - before.getTime();
  });
  const middle = median(knownValues(gaps, (gap) => gap));
  return gaps.map((gap) => (gap === null || middle === undefined ? -1 : gap < middle ? 1 : 0));
}
