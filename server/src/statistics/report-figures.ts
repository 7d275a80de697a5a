import {
  dayMilliseconds,
  engagementRate,
  type ReportFindings,
  type StoredReportMetrics,
  type TopReel,
} from "@reelscript/contract";
import { average, knownValues, meanInterval, median, medianInterval } from "./averages.ts";
import type { SeenReel } from "./merge-reels.ts";
import { isGrowing } from "./sample.ts";
import { fewestReels, listedTopReels, mostPinned, outsideDates } from "./thresholds.ts";

export interface Engagement {
  /** Set where comments are hidden, so that engagement is likes per view. */
  readonly from: "likes" | undefined;
  /** Percent; `null` if it isn't known. */
  readonly rateOf: (reel: SeenReel) => number | null;
}

/** One formula for all reels of a report: likes alone if most of the reels with views and likes hide their comments. */
export function engagementOf(reels: readonly SeenReel[]): Engagement {
  const counted = reels.filter(({ views, likes }) => views !== null && likes !== null);
  const hidden = counted.filter(({ comments }) => comments === null).length;
  return hidden > counted.length / 2
    ? { from: "likes", rateOf: (reel) => engagementRate({ views: reel.views, likes: reel.likes, comments: 0 }) }
    : { from: undefined, rateOf: engagementRate };
}

const weekMilliseconds = 7 * dayMilliseconds;

/** Averages and medians over the reels whose value is known; the rate is the average of the reels' rates. */
export function metricsOf(reels: readonly SeenReel[], { rateOf }: Engagement): StoredReportMetrics {
  return {
    avgViews: average(knownValues(reels, ({ views }) => views)),
    avgLikes: average(knownValues(reels, ({ likes }) => likes)),
    avgComments: average(knownValues(reels, ({ comments }) => comments)),
    medianViews: median(knownValues(reels, ({ views }) => views)),
    medianLikes: median(knownValues(reels, ({ likes }) => likes)),
    medianComments: median(knownValues(reels, ({ comments }) => comments)),
    avgEngagementRate: average(knownValues(reels, rateOf)),
    postingFrequencyPerWeek: frequencyOf(usualTimes(reels)),
  };
}

/**
 * Reels per week between ordered dates: one step fewer than dates. Less than a week counts as a week, because three reels in an
 * hour aren't 504 a week; 0, which means unknown, with fewer than two dates or all on one day.
 */
export function frequencyOf(times: readonly number[]): number {
  const first = times[0];
  const last = times.at(-1);
  // Many reels of one day say when they were uploaded, not how often.
  if (first === undefined || last === undefined || last - first < dayMilliseconds) return 0;
  return (times.length - 1) / Math.max(1, (last - first) / weekMilliseconds);
}

/** Posting dates in order, without the oldest and newest few, so that pinned reels, which are old, change nothing. */
function usualTimes(reels: readonly SeenReel[]): number[] {
  const times = knownValues(reels, ({ postedAt }) => postedAt?.getTime() ?? null).toSorted((one, other) => one - other);
  if (times.length < fewestReels) return times;
  const outside = Math.floor(outsideDates * (times.length - 1));
  return times.slice(Math.max(mostPinned, outside), times.length - outside);
}

/** How many people a post reaches and moves, by the account's followers. */
export function followerFiguresOf(
  reels: readonly SeenReel[],
  followers: number,
): NonNullable<ReportFindings["followers"]> {
  if (followers === 0) return { followers };
  const perFollower = (count: number | undefined): number | undefined =>
    count === undefined ? undefined : count / followers;
  const moved = knownValues(reels, ({ likes, comments }) =>
    likes === null || comments === null ? null : (100 * (likes + comments)) / followers,
  );
  return {
    followers,
    viewsPerFollower: perFollower(median(knownValues(reels, ({ views }) => views))),
    engagementRate: average(moved),
  };
}

/** 95 % confidence intervals of the metrics. */
export function intervalsOf(
  reels: readonly SeenReel[],
  { rateOf }: Engagement,
): NonNullable<ReportFindings["intervals"]> {
  const times = usualTimes(reels);
  const pause = meanInterval(times.slice(1).map((time, index) => time - times[index]!));
  return {
    medianViews: medianInterval(knownValues(reels, ({ views }) => views)),
    medianLikes: medianInterval(knownValues(reels, ({ likes }) => likes)),
    medianComments: medianInterval(knownValues(reels, ({ comments }) => comments)),
    avgEngagementRate: meanInterval(knownValues(reels, rateOf)),
    ...(pause &&
      pause.low > 0 && {
        postingFrequencyPerWeek: { low: weekMilliseconds / pause.high, high: weekMilliseconds / pause.low },
      }),
  };
}

/** The most viewed reels, highest first; the most liked ones if no views are known. */
export function topReelsOf(reels: readonly SeenReel[], topReelOf: (reel: SeenReel) => TopReel): TopReel[] {
  const hasViews = reels.some(({ views }) => views !== null);
  const countOf = ({ views, likes }: SeenReel): number | null => (hasViews ? views : likes);
  return reels
    .filter((reel) => countOf(reel) !== null)
    .toSorted((one, other) => countOf(other)! - countOf(one)! || (one.url < other.url ? -1 : 1))
    .slice(0, listedTopReels)
    .map(topReelOf);
}

/** Shows reels of a report, each with its multiple of its neighbors where that is known. */
export const showReel =
  ({ rateOf }: Engagement, multiples: ReadonlyMap<SeenReel, number>, collectedAt: Date) =>
  (reel: SeenReel): TopReel => ({
    url: reel.url,
    caption: reel.caption ?? undefined,
    views: reel.views ?? undefined,
    likes: reel.likes ?? undefined,
    comments: reel.comments ?? undefined,
    engagementRate: rateOf(reel) ?? undefined,
    postedAt: reel.postedAt?.toISOString(),
    durationSeconds: reel.durationSeconds ?? undefined,
    multiple: multiples.get(reel),
    ...(isGrowing(reel, collectedAt) && { stillGrowing: true }),
  });
