import { cutText, dayNames, engagementRate, fewestReels, type Comparison } from "@reelscript/contract";
import { createLocalTime } from "./local-time.ts";
import type { SeenReel } from "./merge-reels.ts";
import { isSettled } from "./report-figures.ts";
import { known, median } from "./statistics.ts";
import { findDifferences, type Difference, type Membership, type Outcome } from "./comparisons/find-differences.ts";
import { timeBasis } from "./comparisons/residuals.ts";

/** Reels on each side without which two groups are not compared; docs/decisions/reports.md has the method. */
const fewestToCompare = 5;
/** Night, morning, afternoon, evening. */
const hoursOfBlock = 6;
const longestCaption = 200;
/** Percent; where nobody engages, a logarithm still needs something. */
const leastRate = 0.01;

type Viewed = SeenReel & { readonly views: number };
interface Measured {
  readonly reel: Viewed;
  /** Views or engagement: `shown` as people read it, `value` as it is compared. */
  readonly shown: number;
  readonly value: number;
}
/** A comparison before its difference is known. */
type Subject = Pick<Comparison, "kind" | "hours" | "days" | "upTo" | "above">;
interface Group {
  readonly subject: Subject;
  /** The subject of the reels outside the group, where they have one. */
  readonly opposite?: Subject;
  readonly isIn: Membership;
}

/**
 * Compares known and settled views by what may change them: blocks of hours and days, length, captions, hashtags; and the newest
 * half with the oldest. Of each kind the clearest comparison is kept, strongest first.
 */
export function comparisonsOf(reels: readonly SeenReel[], collectedAt: Date, timezone: string): Comparison[] {
  const sample = reels
    .filter((reel): reel is Viewed => reel.views !== null && isSettled(reel, collectedAt))
    .toSorted((one, other) => moment(one) - moment(other) || (one.url < other.url ? -1 : 1));
  if (sample.length < fewestReels) return [];
  const dated = sample.filter(({ postedAt }) => postedAt !== null).length;
  const viewed = sample.map((reel) => ({ reel, shown: reel.views, value: Math.log(reel.views + 1) }));
  const engaged = sample.flatMap((reel) => {
    const rate = engagementRate(reel);
    return rate === null ? [] : [{ reel, shown: rate, value: Math.log(Math.max(leastRate, rate)) }];
  });
  const outcomes = [
    {
      measured: viewed,
      explained: timeBasis(sample.length, dated),
      groups: [...timeGroups(sample, timezone), ...contentGroups(sample)],
    },
    { measured: viewed, explained: [viewed.map(() => 1)], groups: [newerHalf("views", viewed)] },
    { measured: engaged, explained: [engaged.map(() => 1)], groups: [newerHalf("engagement", engaged)] },
  ].map(({ groups, ...outcome }) => ({ ...outcome, groups: groups.filter(isLargeEnough) }));
  const differences = findDifferences(
    outcomes.map(({ measured, explained, groups }): Outcome => {
      const values = measured.map(({ value }) => value);
      return { values, explained, groups: groups.map(({ isIn }) => isIn) };
    }),
  );
  const compared = outcomes.flatMap(({ groups, measured }, outcome) =>
    groups.flatMap((group, index) => {
      const difference = differences[outcome]?.[index];
      return difference === undefined ? [] : [comparisonOf(group, difference, measured)];
    }),
  );
  const strongest = compared.toSorted(byClearness);
  return strongest.filter(({ kind }, index) => strongest.findIndex((one) => one.kind === kind) === index);
}

/** Clear comparisons come first. Among equally clear ones, the interval farther from no difference wins, then more views. */
const byClearness = (one: Comparison, other: Comparison): number =>
  Number(other.clear) - Number(one.clear) ||
  one.chance - other.chance ||
  distanceOf(other) - distanceOf(one) ||
  other.times - one.times;

const distanceOf = ({ times, low, high }: Comparison): number => (times > 1 ? Math.log(low) : -Math.log(high));

const moment = ({ postedAt }: SeenReel): number => postedAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

const isLargeEnough = ({ isIn }: Group): boolean =>
  [0, 1].every((side) => isIn.filter((one) => one === side).length >= fewestToCompare);

function timeGroups(sample: readonly Viewed[], timezone: string): Group[] {
  const localTime = createLocalTime(timezone);
  const places = sample.map(({ postedAt }) => (postedAt === null ? undefined : localTime(postedAt)));
  const isIn = (test: (place: NonNullable<(typeof places)[number]>) => boolean): Membership =>
    places.map((place) => (place === undefined ? -1 : test(place) ? 1 : 0));
  const blocks = Array.from({ length: 24 / hoursOfBlock }, (_, block): Group => {
    const from = block * hoursOfBlock;
    const to = (from + hoursOfBlock) % 24;
    return {
      subject: { kind: "postingHours", hours: { from, to } },
      isIn: isIn(({ hour }) => hour >= from && hour < from + hoursOfBlock),
    };
  });
  const days = [dayNames.slice(5)].map((some): Group => ({
    subject: { kind: "postingDays", days: [...some] },
    isIn: isIn(({ dayOfWeek }) => some.includes(dayOfWeek)),
  }));
  return [...blocks, ...days];
}

function contentGroups(sample: readonly Viewed[]): Group[] {
  return [
    ...halves(
      "length",
      sample.map(({ durationSeconds }) => durationSeconds),
    ),
    ...halves(
      "captionLength",
      sample.map(({ caption }) => (caption === null ? null : Array.from(caption).length)),
    ),
    {
      subject: { kind: "hashtags" },
      isIn: sample.map(({ caption }) => (caption === null ? -1 : /#[\p{L}\p{N}_]/u.test(caption) ? 1 : 0)),
    },
  ];
}

function halves(kind: "length" | "captionLength", values: readonly (number | null)[]): Group[] {
  const middle = median(known(values, (value) => value));
  if (middle === undefined) return [];
  return [
    {
      subject: { kind, above: middle },
      opposite: { kind, upTo: middle },
      isIn: values.map((value) => (value === null ? -1 : value > middle ? 1 : 0)),
    },
  ];
}

/** Compares the dated reels, which come first: the newest half is in the group, the oldest is not. */
function newerHalf(kind: "views" | "engagement", measured: readonly Measured[]): Group {
  const dated = measured.filter(({ reel }) => reel.postedAt !== null).length;
  const half = Math.floor(dated / 2);
  return {
    subject: { kind },
    isIn: measured.map((_, index) => (index < half ? 0 : index < dated && index >= dated - half ? 1 : -1)),
  };
}

function comparisonOf(
  { subject, opposite, isIn }: Group,
  difference: Difference,
  measured: readonly Measured[],
): Comparison {
  const isTurned = opposite !== undefined && difference.by < 0;
  const side = (member: 0 | 1) => {
    const some = measured.filter((_, index) => isIn[index] === member);
    const typical = median(some.map(({ shown }) => shown)) ?? 0;
    return { reels: some.length, typical, example: exampleOf(some, typical) };
  };
  const [group, others] = isTurned ? [side(0), side(1)] : [side(1), side(0)];
  const [by, low, high] = isTurned
    ? [-difference.by, -difference.high, -difference.low]
    : [difference.by, difference.low, difference.high];
  // A difference that only time turns around would contradict the typical values shown with it.
  const agrees = by > 0 ? group.typical > others.typical : group.typical < others.typical;
  return {
    ...(isTurned ? opposite : subject),
    clear: difference.clear && agrees,
    times: Math.exp(by),
    low: Math.exp(low),
    high: Math.exp(high),
    chance: difference.chance,
    reels: group.reels,
    typical: group.typical,
    otherReels: others.reels,
    otherTypical: others.typical,
    proof: [group.example, others.example],
  };
}

/** A reel as typical as any: the best one would prove nothing. */
function exampleOf(some: readonly Measured[], typical: number): Comparison["proof"][number] {
  const [nearest] = some.toSorted(
    (one, other) =>
      Math.abs(one.shown - typical) - Math.abs(other.shown - typical) || (one.reel.url < other.reel.url ? -1 : 1),
  );
  const { url, caption, views } = nearest!.reel;
  return { url, views, ...(caption !== null && { caption: cutText(caption, longestCaption) }) };
}
