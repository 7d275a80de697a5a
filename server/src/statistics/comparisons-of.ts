import { cutText, displayedInterval, type Comparison, type SteadyFigure } from "@reelscript/contract";
import { knownValues, median } from "./averages.ts";
import type { Engagement } from "./report-figures.ts";
import {
  differenceBeside,
  findDifferences,
  timeBasis,
  type Difference,
  type Membership,
  type Outcome,
} from "./find-differences.ts";
import {
  contentGroups,
  formGroups,
  isCourseOfTime,
  isLargeEnough,
  soonGroup,
  speechGroups,
  timeGroups,
  trendGroups,
  weekendGroup,
  type Group,
} from "./groups.ts";
import type { SeenReel } from "./merge-reels.ts";
import { expectNext } from "./next-period.ts";
import { dividesAlike, onceEach, type ComparisonOfReels } from "./once-each.ts";
import { leastAgainOf, priorOf, weightOf } from "./priors.ts";
import type { Sample } from "./sample.ts";
import {
  halfInterval,
  leastLeft,
  leastRate,
  leastRatio,
  mostDisagreement,
  steadyRatio,
  widestInterval,
} from "./thresholds.ts";
import type { Traits } from "./traits.ts";

const longestCaption = 200;

interface Measured {
  readonly reel: SeenReel;
  /** Views, likes or engagement: `shown` for people, `value` for the comparison. */
  readonly figure: number;
  readonly value: number;
}

interface Family {
  readonly outcome: NonNullable<Comparison["outcome"]>;
  readonly measured: readonly Measured[];
  readonly explained: Outcome["explained"];
  readonly groups: readonly Group[];
}

interface Finding extends ComparisonOfReels {
  readonly family: Family;
  readonly difference: Difference;
}

/** Facts about the account of a report beside the reels that are compared. */
export interface Context {
  readonly traits: ReadonlyMap<SeenReel, Traits>;
  readonly handle: string;
  readonly timezone: string;
  readonly collectedAt: Date;
}

/**
 * Compares counts and engagement by their possible causes, in one family: when reels were posted, their form, content and speech,
 * and the newest half with the oldest. Of each kind and each topic the clearest comparison is kept, strongest first; findings on
 * the same reels are one.
 */
export function comparisonsOf(sample: Sample, { rateOf }: Engagement, context: Context): Comparison[] {
  const counted = measuredCounts(sample);
  const engaged = sample.counted.flatMap(({ reel }): Measured[] => {
    const rate = rateOf(reel);
    return rate === null ? [] : [{ reel, figure: rate, value: Math.log(Math.max(leastRate, rate)) }];
  });
  const families = familiesOf(sample.outcome, counted, engaged, context);
  const differences = findDifferences(
    families.map(({ measured, explained, groups }): Outcome => ({
      values: measured.map(({ value }) => value),
      explained,
      candidates: groups.map(({ isIn, subject }) => ({ isIn, weight: weightOf(subject.kind) })),
    })),
  );
  const findings = families.flatMap(({ outcome, groups, measured }, family) =>
    groups.flatMap((group, index): Finding[] => {
      const difference = differences[family]?.[index];
      if (difference === undefined || !isBelieved(group, difference)) return [];
      return [{ ...comparisonOfReels(group, difference, measured, outcome), family: families[family]!, difference }];
    }),
  );
  const distinct = findings.map((one) =>
    isExplainedAway(one, findings) ? { ...one, comparison: unclear(one.comparison) } : one,
  );
  return onceEach(distinct.toSorted((one, other) => byClearness(one.comparison, other.comparison)));
}

/** True if a clearer finding on other reels of the same count explains most of this one. */
function isExplainedAway(one: Finding, all: readonly Finding[]): boolean {
  const { comparison, family, difference, isIn } = one;
  if (!comparison.clear) return false;
  const clearness = ({ by, error }: Difference): number => Math.abs(by) / error;
  const values = family.measured.map(({ value }) => value);
  return all.some((other) => {
    if (other.family !== family || !other.comparison.clear || dividesAlike(one, other)) return false;
    if (clearness(other.difference) <= clearness(difference)) return false;
    const left = differenceBeside({ values, explained: family.explained }, isIn, [other.isIn]);
    // Turned or not, what is left has to point where the finding does.
    return left === undefined || Math.abs(left / difference.by) < leastLeft || isOpposed(left, one);
  });
}

/** `left` is of the group as the finding names it. */
const isOpposed = (left: number, { comparison: { times } }: Finding): boolean => left > 0 !== times > 1;

const unclear = (comparison: Comparison): Comparison => ({
  ...comparison,
  clear: false,
  sureness: undefined,
  copy: undefined,
  avoid: undefined,
});

function familiesOf(
  outcome: Sample["outcome"],
  counted: readonly Measured[],
  engaged: readonly Measured[],
  { traits, handle, collectedAt }: Context,
): Family[] {
  const traitsOf = (measured: readonly Measured[]): Traits[] => measured.map(({ reel }) => traits.get(reel)!);
  const ofCounted = traitsOf(counted);
  const countedReels = reelsOf(counted);
  const engagedReels = reelsOf(engaged);
  const families: Family[] = [
    {
      outcome,
      measured: counted,
      explained: courseOf(countedReels),
      groups: [
        ...timeGroups(ofCounted),
        ...formGroups(ofCounted),
        ...contentGroups(ofCounted, handle),
        ...speechGroups(ofCounted),
      ],
    },
    {
      outcome,
      measured: counted,
      explained: level(countedReels),
      groups: trendGroups("views", countedReels, collectedAt),
    },
    {
      outcome: "engagement",
      measured: engaged,
      explained: courseOf(engagedReels),
      groups: formGroups(traitsOf(engaged)),
    },
    {
      outcome: "engagement",
      measured: engaged,
      explained: level(engagedReels),
      groups: trendGroups("engagement", engagedReels, collectedAt),
    },
  ];
  return families.map((family): Family => ({
    outcome: family.outcome,
    measured: family.measured,
    explained: family.explained,
    groups: family.groups.filter((group) => isLargeEnough(group) && !isCourseOfTime(group)),
  }));
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
      candidates: subjects.map(({ isIn }) => ({ isIn, weight: 1 })),
    },
  ]);
  return subjects.flatMap(({ kind }, index) => {
    const difference = differences[index];
    if (difference === undefined || difference.clear) return [];
    const reach = steadyErrors * difference.error;
    const low = Math.exp(difference.by - reach);
    const high = Math.exp(difference.by + reach);
    return low > 1 / steadyRatio && high < steadyRatio ? [{ kind, outcome: sample.outcome, low, high }] : [];
  });
}

/** Two figures are given, so that each has a little more than the errors of one. */
const steadyErrors = 1.15 * halfInterval;

const measuredCounts = ({ counted }: Sample): Measured[] =>
  counted.map(({ reel, count }) => ({ reel, figure: count, value: Math.log(count + 1) }));

const reelsOf = (measured: readonly Measured[]): SeenReel[] => measured.map(({ reel }) => reel);

const courseOf = (reels: readonly SeenReel[]): Outcome["explained"] =>
  timeBasis(reels.length, knownValues(reels, ({ postedAt }) => postedAt).length);

const level = (reels: readonly SeenReel[]): Outcome["explained"] => [reels.map(() => 1)];

const isBelieved = ({ only }: Group, { by }: Difference): boolean => only === undefined || by > 0 === (only === "more");

/** Clear comparisons come first. Among equally clear ones, the interval farther from no difference wins, then more views. */
const byClearness = (one: Comparison, other: Comparison): number =>
  Number(other.clear) - Number(one.clear) ||
  Number(other.sureness === "sure") - Number(one.sureness === "sure") ||
  distanceOf(other) - distanceOf(one) ||
  one.chance - other.chance ||
  other.times - one.times;

const distanceOf = ({ times, low, high }: Comparison): number => (times > 1 ? Math.log(low) : -Math.log(high));

function comparisonOfReels(
  { subject, opposite, isIn }: Group,
  difference: Difference,
  measured: readonly Measured[],
  outcome: Family["outcome"],
): ComparisonOfReels {
  const isTurned = opposite !== undefined && difference.by < 0;
  const turned = isIn.map((member) => (member === -1 || !isTurned ? member : member === 1 ? 0 : 1));
  const side = (member: 0 | 1) => {
    const some = measured.filter((_, index) => turned[index] === member);
    const typical = median(some.map(({ figure }) => figure)) ?? 0;
    return { reels: some.length, typical, example: shownReel(typicalOf(some, typical)) };
  };
  const group = side(1);
  const others = side(0);
  const expected = expectNext(difference, priorOf({ kind: subject.kind, outcome }));
  const isFound =
    difference.clear &&
    expected.held &&
    expected.again >= leastAgainOf(subject.kind) &&
    expected.by > 0 === difference.by > 0;
  const [by, from, to] = isTurned
    ? [-expected.by, -expected.high, -expected.low]
    : [expected.by, expected.low, expected.high];
  const apart = Math.log(leastRatio);
  const low = isFound && by > 0 ? Math.max(from, Math.min(apart, by)) : from;
  const high = isFound && by < 0 ? Math.min(to, Math.max(-apart, by)) : to;
  const medians = Math.log((group.typical + 1e-9) / (others.typical + 1e-9));
  const agreeing = nearestTo(medians, by);
  const agrees = agreeing >= low && agreeing <= high;
  const figures = { times: Math.exp(isFound && agrees ? agreeing : by), low: Math.exp(low), high: Math.exp(high) };
  const clear =
    isFound &&
    // An interval that says nothing, one that is displayed as touching 1, and medians that contradict it give no takeaway.
    agrees &&
    displayedInterval(figures).isApart &&
    figures.high / figures.low <= widestInterval;
  return {
    isIn: turned,
    comparison: {
      ...(isTurned ? opposite : subject),
      outcome,
      clear,
      ...(clear && { sureness: expected.sure ? ("sure" as const) : ("fairly sure" as const) }),
      ...figures,
      chance: difference.chance,
      again: expected.again,
      reels: group.reels,
      typical: group.typical,
      otherReels: others.reels,
      otherTypical: others.typical,
      proof: [group.example, others.example],
      ...(clear && subject.kind !== "views" && subject.kind !== "engagement" && examplesOf(measured, turned, by > 0)),
    },
  };
}

/** The logarithm nearest to the forecast that doesn't contradict the shown medians. */
const nearestTo = (medians: number, forecast: number): number =>
  Math.max(medians - Math.log(mostDisagreement), Math.min(medians + Math.log(mostDisagreement), forecast));

const copied = 2;

/** Recent reels to copy, of the better side's better half, and one to avoid, of the worse side's worse half. */
function examplesOf(
  measured: readonly Measured[],
  isIn: Membership,
  isBetter: boolean,
): Pick<Comparison, "copy" | "avoid"> {
  const newestOf = (member: 0 | 1, isGood: boolean): Comparison["proof"] => {
    const some = measured.filter((_, index) => isIn[index] === member);
    const middle = median(some.map(({ value }) => value)) ?? 0;
    return some
      .filter(({ value }) => (isGood ? value >= middle : value <= middle))
      .slice(-copied)
      .toReversed()
      .map(({ reel }) => shownReel(reel));
  };
  const [better, worse] = isBetter ? ([1, 0] as const) : ([0, 1] as const);
  const [avoid] = newestOf(worse, false);
  return { copy: newestOf(better, true), ...(avoid && { avoid }) };
}

/** Chooses a typical reel, because the best one would prove nothing. */
function typicalOf(some: readonly Measured[], typical: number): SeenReel {
  const [nearest] = some.toSorted(
    (one, other) =>
      Math.abs(one.figure - typical) - Math.abs(other.figure - typical) || (one.reel.url < other.reel.url ? -1 : 1),
  );
  return nearest!.reel;
}

const shownReel = ({ url, caption, views, likes }: SeenReel): Comparison["proof"][number] => ({
  url,
  ...(views !== null && { views }),
  ...(views === null && likes !== null && { likes }),
  ...(caption !== null && { caption: cutText(caption, longestCaption) }),
});
