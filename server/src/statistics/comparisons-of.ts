import { cutText, type Comparison, type SteadyFigure } from "@reelscript/contract";
import { knownValues, median } from "./averages.ts";
import type { Engagement } from "./engagement.ts";
import { findDifferences, type Difference, type Outcome } from "./find-differences.ts";
import {
  contentGroups,
  hourGroups,
  isLargeEnough,
  soonGroup,
  topicGroups,
  trendGroups,
  weekendGroup,
  type Group,
} from "./groups.ts";
import type { SeenReel } from "./merge-reels.ts";
import { timeBasis } from "./residuals.ts";
import type { Sample } from "./sample.ts";
import { shrunk } from "./shown-size.ts";
import { leastRate, leastRatio, steadyRatio } from "./thresholds.ts";

const longestCaption = 200;

interface Measured {
  readonly reel: SeenReel;
  /** Views, likes or engagement: `shown` for people, `value` for the comparison. */
  readonly shown: number;
  readonly value: number;
}

interface Family {
  readonly outcome: NonNullable<Comparison["outcome"]>;
  readonly measured: readonly Measured[];
  readonly explained: Outcome["explained"];
  readonly groups: readonly Group[];
}

/**
 * Compares counts and engagement by their possible causes, in one family: blocks of hours, length, hashtags, topics, and the
 * newest half with the oldest. Of each kind and each topic the clearest comparison is kept, strongest first.
 */
export function comparisonsOf(
  sample: Sample,
  { rateOf }: Engagement,
  collectedAt: Date,
  timezone: string,
): Comparison[] {
  const counted = measuredCounts(sample);
  const engaged = sample.counted.flatMap(({ reel }): Measured[] => {
    const rate = rateOf(reel);
    return rate === null ? [] : [{ reel, shown: rate, value: Math.log(Math.max(leastRate, rate)) }];
  });
  const countedReels = reelsOf(counted);
  const engagedReels = reelsOf(engaged);
  const families: Family[] = [
    {
      outcome: sample.outcome,
      measured: counted,
      explained: courseOf(countedReels),
      groups: [...hourGroups(countedReels, timezone), ...contentGroups(countedReels), ...topicGroups(countedReels)],
    },
    {
      outcome: sample.outcome,
      measured: counted,
      explained: level(countedReels),
      groups: trendGroups("views", countedReels, collectedAt),
    },
    {
      outcome: "engagement",
      measured: engaged,
      explained: courseOf(engagedReels),
      groups: contentGroups(engagedReels),
    },
    {
      outcome: "engagement",
      measured: engaged,
      explained: level(engagedReels),
      groups: trendGroups("engagement", engagedReels, collectedAt),
    },
  ].map((family): Family => ({
    outcome: family.outcome as Family["outcome"],
    measured: family.measured,
    explained: family.explained,
    groups: family.groups.filter(isLargeEnough),
  }));
  const differences = findDifferences(
    families.map(({ measured, explained, groups }): Outcome => ({
      values: measured.map(({ value }) => value),
      explained,
      groups: groups.map(({ isIn }) => isIn),
    })),
  );
  const compared = families.flatMap(({ outcome, groups, measured }, family) =>
    groups.flatMap((group, index) => {
      const difference = differences[family]?.[index];
      if (difference === undefined || !isBelieved(group, difference)) return [];
      return [comparisonOf(group, difference, measured, outcome)];
    }),
  );
  const strongest = compared.toSorted(byClearness);
  return strongest.filter((one, index) => strongest.findIndex((other) => isAboutSame(one, other)) === index);
}

/**
 * Lists days and quick successions of reels that make no relevant difference. They aren't claims, so each has its own interval,
 * and is listed only if that rules out a relevant ratio.
 */
export function steadyFiguresOf(sample: Sample, timezone: string): SteadyFigure[] {
  const counted = measuredCounts(sample);
  const reels = reelsOf(counted);
  const subjects = [
    { kind: "postingDays" as const, isIn: weekendGroup(reels, timezone) },
    { kind: "postingOften" as const, isIn: soonGroup(reels) },
  ].filter(isLargeEnough);
  const [differences = []] = findDifferences([
    {
      values: counted.map(({ value }) => value),
      explained: courseOf(reels),
      groups: subjects.map(({ isIn }) => isIn),
    },
  ]);
  return subjects.flatMap(({ kind }, index) => {
    const difference = differences[index];
    if (difference === undefined || difference.clear) return [];
    const [low, high] = [Math.exp(difference.low), Math.exp(difference.high)];
    return low > 1 / steadyRatio && high < steadyRatio ? [{ kind, outcome: sample.outcome, low, high }] : [];
  });
}

const measuredCounts = ({ counted }: Sample): Measured[] =>
  counted.map(({ reel, count }) => ({ reel, shown: count, value: Math.log(count + 1) }));

const reelsOf = (measured: readonly Measured[]): SeenReel[] => measured.map(({ reel }) => reel);

const courseOf = (reels: readonly SeenReel[]): Outcome["explained"] =>
  timeBasis(reels.length, knownValues(reels, ({ postedAt }) => postedAt).length);

const level = (reels: readonly SeenReel[]): Outcome["explained"] => [reels.map(() => 1)];

const isBelieved = ({ only }: Group, { by }: Difference): boolean => only === undefined || by > 0 === (only === "more");

const isAboutSame = (one: Comparison, other: Comparison): boolean =>
  one.kind === other.kind && one.outcome === other.outcome && one.topic === other.topic;

/** Clear comparisons come first. Among equally clear ones, the interval farther from no difference wins, then more views. */
const byClearness = (one: Comparison, other: Comparison): number =>
  Number(other.clear) - Number(one.clear) ||
  one.chance - other.chance ||
  distanceOf(other) - distanceOf(one) ||
  other.times - one.times;

const distanceOf = ({ times, low, high }: Comparison): number => (times > 1 ? Math.log(low) : -Math.log(high));

function comparisonOf(
  { subject, opposite, isIn }: Group,
  difference: Difference,
  measured: readonly Measured[],
  outcome: Family["outcome"],
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
  const nearEnd = shrunk(Math.exp(by > 0 ? low : -high));
  return {
    ...(isTurned ? opposite : subject),
    outcome,
    clear: difference.clear && agrees && nearEnd >= leastRatio,
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

/** Chooses a typical reel, because the best one would prove nothing. */
function exampleOf(some: readonly Measured[], typical: number): Comparison["proof"][number] {
  const [nearest] = some.toSorted(
    (one, other) =>
      Math.abs(one.shown - typical) - Math.abs(other.shown - typical) || (one.reel.url < other.reel.url ? -1 : 1),
  );
  const { url, caption, views, likes } = nearest!.reel;
  return {
    url,
    ...(views !== null && { views }),
    ...(views === null && likes !== null && { likes }),
    ...(caption !== null && { caption: cutText(caption, longestCaption) }),
  };
}
