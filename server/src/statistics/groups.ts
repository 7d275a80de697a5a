import { dayNames, type Comparison } from "@reelscript/contract";
import { isGrown } from "./ages.ts";
import { knownValues, median } from "./averages.ts";
import type { Membership } from "./find-differences.ts";
import { createLocalTime } from "./local-time.ts";
import type { SeenReel } from "./merge-reels.ts";
import { fewestToCompare, hoursOfBlock } from "./thresholds.ts";
import { hashtagsIn, topicsOf } from "./topics.ts";

/** A comparison before its difference is known. */
type Subject = Pick<Comparison, "kind" | "hours" | "upTo" | "above" | "topic">;

export interface Group {
  readonly subject: Subject;
  /** The subject of the reels outside the group, where they have one. */
  readonly opposite?: Subject;
  readonly isIn: Membership;
  /** The only direction in which a difference is believed. */
  readonly only?: "more" | "less";
}

export const isLargeEnough = ({ isIn }: Pick<Group, "isIn">): boolean =>
  [0, 1].every((side) => isIn.filter((one) => one === side).length >= fewestToCompare);

/** The blocks of the day, as hours of the clock. */
export const blocks = Array.from({ length: 24 / hoursOfBlock }, (_, block) => ({
  from: block * hoursOfBlock,
  to: ((block + 1) * hoursOfBlock) % 24,
}));

/** Blocks of hours in a time zone. */
export function hourGroups(reels: readonly SeenReel[], timezone: string): Group[] {
  const localTime = createLocalTime(timezone);
  const hours = reels.map(({ postedAt }) => (postedAt === null ? undefined : localTime(postedAt).hour));
  return blocks.map((block): Group => ({
    subject: { kind: "postingHours", hours: block },
    isIn: hours.map((hour) =>
      hour === undefined ? -1 : hour >= block.from && hour < block.from + hoursOfBlock ? 1 : 0,
    ),
  }));
}

/** The content of a reel, as far as it can be seen without watching it. */
export function contentGroups(reels: readonly SeenReel[]): Group[] {
  const hashtags = reels.map(({ caption }) => (caption === null ? null : hashtagsIn(caption)));
  return [
    ...halves(
      "length",
      reels.map(({ durationSeconds }) => durationSeconds),
    ),
    ...halves("hashtags", hashtags),
    {
      subject: { kind: "hashtags" },
      opposite: { kind: "hashtags", upTo: 0 },
      isIn: hashtags.map((count) => (count === null ? -1 : count > 0 ? 1 : 0)),
    },
  ];
}

export const topicGroups = (reels: readonly SeenReel[]): Group[] =>
  topicsOf(reels).map(({ name, isIn }) => ({ subject: { kind: "topic", topic: name }, isIn }));

function halves(kind: "length" | "hashtags", values: readonly (number | null)[]): Group[] {
  const middle = median(knownValues(values, (value) => value));
  if (middle === undefined) return [];
  return [
    {
      subject: { kind, above: middle },
      opposite: { kind, upTo: middle },
      isIn: values.map((value) => (value === null ? -1 : value > middle ? 1 : 0)),
    },
  ];
}

/**
 * The newest half against the oldest, of reels oldest first. Newer reels have had less time to gather views: where they got more
 * nevertheless, all reels count, but that they got less is believed only among those that hardly grow any more.
 */
export function trendGroups(
  kind: "views" | "engagement",
  reels: readonly SeenReel[],
  collectedAt: Date,
): readonly Group[] {
  if (kind === "engagement") return [newerHalf(kind, reels, () => true)];
  return [
    { ...newerHalf(kind, reels, () => true), only: "more" },
    { ...newerHalf(kind, reels, (reel) => isGrown(reel, collectedAt)), only: "less" },
  ];
}

function newerHalf(
  kind: "views" | "engagement",
  reels: readonly SeenReel[],
  counts: (reel: SeenReel) => boolean,
): Group {
  const places = reels.flatMap((reel, index) => (reel.postedAt !== null && counts(reel) ? [index] : []));
  const half = Math.floor(places.length / 2);
  const isIn = reels.map((): -1 | 0 | 1 => -1);
  for (const index of places.slice(0, half)) isIn[index] = 0;
  for (const index of places.slice(places.length - half)) isIn[index] = 1;
  return { subject: { kind }, isIn };
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
