import { comparisonWords, ReelCollection, type Comparison, type CompetitorReport } from "@reelscript/contract";
import { inOrderOfTime } from "#server/statistics/sample.ts";
import { engagementOf } from "#server/statistics/report-figures.ts";
import { mergeReels, type SeenReel } from "#server/statistics/merge-reels.ts";
import { dot, residualsOf, timeBasis, uprightBasis } from "#server/statistics/find-differences.ts";
import { memberOf, type Subject } from "#server/statistics/subjects.ts";
import { traitsOf, type Traits } from "#server/statistics/traits.ts";
import { median } from "../statistics.ts";

/** Share of an account's posts, the oldest, from which its report is made. */
const shareBefore = 0.6;
/** Posts on each side of a comparison, so that it can be judged. */
const fewestToJudge = 4;
/** Posts with a date and views that make an account large enough to count. */
const fewestPosts = 40;
/** Robust standard deviations at which a log count is clipped. */
const farthest = 3.5;

export type MakeReport = (collection: ReelCollection) => CompetitorReport;

/** An account's posts, split by time; each part is oldest first. */
export interface SplitAccount {
  readonly collection: ReelCollection;
  readonly before: readonly SeenReel[];
  readonly after: readonly SeenReel[];
  readonly traits: ReadonlyMap<SeenReel, Traits>;
}

/** `undefined` if too few posts have a date and views. */
export function splitByTime(collection: ReelCollection): SplitAccount | undefined {
  const { reels } = mergeReels(collection.reels, new Date(collection.collectedAt));
  const dated = reels.filter(({ postedAt, views }) => postedAt !== null && views !== null).toSorted(inOrderOfTime);
  if (dated.length < fewestPosts) return undefined;
  const cut = Math.floor(shareBefore * dated.length);
  return {
    collection,
    before: dated.slice(0, cut),
    after: dated.slice(cut),
    traits: traitsOf(reels, collection.timezone ?? "UTC"),
  };
}

/** The collection of some posts, as they were collected. */
export const collectionOf = (collection: ReelCollection, reels: readonly SeenReel[]): ReelCollection =>
  ReelCollection.parse({
    ...collection,
    timezone: collection.timezone ?? "UTC",
    reels: reels.map(({ url, caption, views, likes, comments, postedAt, durationSeconds }) => ({
      url,
      caption,
      views,
      likes,
      comments,
      postedAt: postedAt?.toISOString(),
      durationSeconds,
    })),
  });

/** A claim of a report on the earlier posts, and what the later ones showed. */
export interface JudgedClaim {
  readonly comparison: Comparison;
  /** Ratios that the later posts show, within blocks of time and of plain medians; absent if they can't be judged. */
  readonly detrended?: number;
  readonly raw?: number;
}

const isTrend = ({ kind }: Comparison): boolean => kind === "views" || kind === "engagement";

/** Judges the clear comparisons of a report by the later posts. */
export const judgeClaims = (account: SplitAccount, { comparisons = [] }: CompetitorReport): readonly JudgedClaim[] =>
  comparisons
    .filter(({ clear }) => clear)
    .map((comparison) => (isTrend(comparison) ? judgeTrend(account, comparison) : judgeGroups(account, comparison)));

/** A claim that the newest posts are higher than those before them holds if still later posts are higher, too. */
function judgeTrend({ before, after }: SplitAccount, comparison: Comparison): JudgedClaim {
  const valueOf = valuesOf([...before, ...after], comparison);
  const earlier = before.flatMap((reel) => valueOf(reel) ?? []);
  const later = after.flatMap((reel) => valueOf(reel) ?? []);
  if (earlier.length < fewestPosts / 4 || later.length < fewestToJudge) return { comparison };
  const ratio = Math.exp(median(later) - median(earlier.slice(0, comparison.otherReels)));
  return { comparison, detrended: ratio, raw: ratio };
}

function judgeGroups({ after, traits }: SplitAccount, comparison: Comparison): JudgedClaim {
  const valueOf = valuesOf(after, comparison);
  const judged = after.flatMap((reel) => {
    const value = valueOf(reel);
    const member = memberOf(comparison, traits.get(reel)!);
    return value === undefined || member === -1 ? [] : [{ value, member }];
  });
  const sides = [1, 0].map((side) => judged.filter(({ member }) => member === side).map(({ value }) => value));
  const [inside = [], outside = []] = sides;
  if (inside.length < fewestToJudge || outside.length < fewestToJudge) return { comparison };
  return {
    comparison,
    detrended: detrendedRatio(
      judged.map(({ value }) => value),
      judged.map(({ member }) => member),
    ),
    raw: Math.exp(median(inside) - median(outside)),
  };
}

function valuesOf(
  reels: readonly SeenReel[],
  { outcome = "views" }: Comparison,
): (reel: SeenReel) => number | undefined {
  const { rateOf } = engagementOf(reels);
  return (reel) => {
    if (outcome !== "engagement") return reel[outcome] === null ? undefined : Math.log(reel[outcome] + 1);
    const rate = rateOf(reel);
    return rate === null ? undefined : Math.log(Math.max(0.01, rate));
  };
}

/** The ratio of a group and the others, oldest first, without the course of time. */
function detrendedRatio(values: readonly number[], members: readonly number[]): number {
  const upright = uprightBasis(timeBasis(values.length, values.length));
  const residuals = residualsOf(clipped(residualsOf(values, upright)), upright);
  const direction = residualsOf(members, upright);
  return Math.exp(dot(direction, residuals) / dot(direction, direction));
}

function clipped(values: Float64Array): Float64Array {
  const middle = median([...values]);
  const reach = farthest * 1.4826 * median([...values].map((value) => Math.abs(value - middle)));
  return values.map((value) => Math.max(middle - reach, Math.min(middle + reach, value)));
}

/** Later posts that follow some advice, against the others, as ratios. */
export interface Followed {
  readonly detrended: number;
  readonly raw: number;
  /** Share of the posts that follow it which got more than the median of all later ones. */
  readonly aboveMedian: number;
}

function followed({ after }: SplitAccount, follows: (reel: SeenReel) => boolean): Followed | undefined {
  const values = after.map(({ views }) => Math.log(views! + 1));
  const members = after.map((reel) => Number(follows(reel)));
  const inside = values.filter((_, index) => members[index] === 1);
  const outside = values.filter((_, index) => members[index] === 0);
  if (inside.length < fewestToJudge || outside.length < fewestToJudge) return undefined;
  const middle = median(values);
  return {
    detrended: detrendedRatio(values, members),
    raw: Math.exp(median(inside) - median(outside)),
    aboveMedian: inside.filter((value) => value > middle).length / inside.length,
  };
}

/** Later posts that follow the whole plan, or else its first fact, against the others; `undefined` without a plan. */
export function followPlan(
  account: SplitAccount,
  { advice, comparisons = [] }: CompetitorReport,
): Followed | undefined {
  const facts = advice.flatMap((line) => {
    const fact = comparisons.find((one) => one.clear && comparisonWords(one).claim === line.claim);
    return fact === undefined || (fact.outcome ?? "views") === "engagement" ? [] : [fact];
  });
  const follows = (fact: Comparison, reel: SeenReel): boolean =>
    memberOf(fact satisfies Subject, account.traits.get(reel)!) === (fact.times > 1 ? 1 : 0);
  const [first] = facts;
  if (first === undefined) return undefined;
  return (
    followed(account, (reel) => facts.every((fact) => follows(fact, reel))) ??
    followed(account, (reel) => follows(first, reel))
  );
}

/** Later posts at the hour whose earlier posts had the most views on average, as most tools name it, against the others. */
export function followBestHour(account: SplitAccount): Followed | undefined {
  const hourOf = (reel: SeenReel): number => account.traits.get(reel)!.hour!;
  const hours = new Map<number, number[]>();
  for (const reel of account.before) hours.set(hourOf(reel), [...(hours.get(hourOf(reel)) ?? []), reel.views!]);
  const mean = (views: readonly number[]): number => views.reduce((sum, one) => sum + one, 0) / views.length;
  const [best] = [...hours].toSorted(([one, views], [other, others]) => mean(others) - mean(views) || one - other);
  return best === undefined ? undefined : followed(account, (reel) => hourOf(reel) === best[0]);
}

/** The earlier posts with their counts dealt out again, so that nothing in them can matter. */
export function shuffledCounts({ before }: SplitAccount, random: () => number): readonly SeenReel[] {
  const counts = before.map(({ views, likes, comments }) => ({ views, likes, comments }));
  for (let last = counts.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [counts[last], counts[other]] = [counts[other]!, counts[last]!];
  }
  return before.map((reel, index) => ({ ...reel, ...counts[index]! }));
}
