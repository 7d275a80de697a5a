import {
  engagementRate,
  type Comparison,
  type PostingHour,
  type PostingTime,
  type ReportFindings,
  type TopReel,
} from "@reelscript/contract";
import type { SeenReel } from "./merge-reels.ts";
import { average, known, meanInterval, median, medianInterval } from "./statistics.ts";

/** Reels of one hour of the week under which nothing is said of it. */
const fewestReelsOfHour = 3;
/** Between the first reel and the last, below which nothing is said per week. */
export const fewestDays = 14;
/** Views of a younger reel still grow, so it is not compared with others. */
const settledHours = 72;
const topReelCount = 10;

const hour = 3_600_000;
const week = 7 * 24 * hour;

/** Averages and medians over the reels whose value is known; the rate is the average of the reels' rates. */
export function metricsOf(reels: readonly SeenReel[]): ReportFindings["metrics"] {
  return {
    avgViews: average(known(reels, ({ views }) => views)),
    avgLikes: average(known(reels, ({ likes }) => likes)),
    avgComments: average(known(reels, ({ comments }) => comments)),
    medianViews: median(known(reels, ({ views }) => views)),
    medianLikes: median(known(reels, ({ likes }) => likes)),
    medianComments: median(known(reels, ({ comments }) => comments)),
    avgEngagementRate: average(known(reels, engagementRate)),
    postingFrequencyPerWeek: postingFrequency(reels),
  };
}

/** Reels per week: from the first dated reel to the last there is one step fewer than there are reels. */
function postingFrequency(reels: readonly SeenReel[]): number | undefined {
  const times = known(reels, ({ postedAt }) => postedAt).map((date) => date.getTime());
  const span = Math.max(...times) - Math.min(...times);
  return times.length > 1 && span >= fewestDays * 24 * hour ? (times.length - 1) / (span / week) : undefined;
}

/** 95 % confidence intervals of the metrics. */
export function intervalsOf(reels: readonly SeenReel[]): NonNullable<ReportFindings["intervals"]> {
  const times = known(reels, ({ postedAt }) => postedAt?.getTime() ?? null).toSorted((one, other) => one - other);
  const perWeek = postingFrequency(reels);
  const pause = perWeek && meanInterval(times.slice(1).map((time, index) => time - times[index]!));
  return {
    medianViews: medianInterval(known(reels, ({ views }) => views)),
    medianLikes: medianInterval(known(reels, ({ likes }) => likes)),
    medianComments: medianInterval(known(reels, ({ comments }) => comments)),
    avgEngagementRate: meanInterval(known(reels, engagementRate)),
    ...(pause && pause.low > 0 && { postingFrequencyPerWeek: { low: week / pause.high, high: week / pause.low } }),
  };
}

/** The most viewed reels, highest first; those whose views are not known cannot be among them. */
export function topReelsOf(reels: readonly SeenReel[]): TopReel[] {
  return reels
    .filter(({ views }) => views !== null)
    .toSorted((one, other) => other.views! - one.views! || (one.url < other.url ? -1 : 1))
    .slice(0, topReelCount)
    .map((reel) => ({
      url: reel.url,
      caption: reel.caption ?? undefined,
      views: reel.views ?? undefined,
      likes: reel.likes ?? undefined,
      comments: reel.comments ?? undefined,
      engagementRate: engagementRate(reel) ?? undefined,
      postedAt: reel.postedAt?.toISOString(),
      durationSeconds: reel.durationSeconds ?? undefined,
    }));
}

/** True if the reel is old enough for its views to be compared; a reel without a date counts as old. */
export const isSettled = (reel: SeenReel, collectedAt: Date): boolean =>
  reel.postedAt === null || collectedAt.getTime() - reel.postedAt.getTime() > settledHours * hour;

/** Hours within blocks that clearly get more views, above what is typical, highest typical views first. */
export function bestPostingTimesOf(
  hours: readonly PostingHour[],
  comparisons: readonly Comparison[],
  typical: number | undefined,
): PostingTime[] {
  const better = comparisons.filter(
    ({ clear, times, kind }) => clear && times > 1 && (kind === "postingHours" || kind === "postingDays"),
  );
  if (better.length === 0 || typical === undefined) return [];
  return hours
    .filter(
      ({ dayOfWeek, hour: at, settledReels = 0, medianViews = 0 }) =>
        settledReels >= fewestReelsOfHour &&
        medianViews > typical &&
        better.every(
          ({ hours: block, days }) =>
            (days?.includes(dayOfWeek) ?? true) &&
            (block === undefined || (at - block.from + 24) % 24 < (block.to - block.from + 24) % 24),
        ),
    )
    .toSorted((one, other) => other.medianViews! - one.medianViews!)
    .map(({ dayOfWeek, hour: at, avgViews = 0 }) => ({ dayOfWeek, hour: at, avgViews }));
}
