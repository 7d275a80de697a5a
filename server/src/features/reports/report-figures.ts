import { dayNames, engagementRate, type PostingTime, type ReportFindings, type TopReel } from "@reelscript/contract";
import { createLocalTime } from "./local-time.ts";
import type { SeenReel } from "./merge-reels.ts";
import { average, known, median } from "./statistics.ts";

/** Reports on fewer reels have nothing but averages and the most viewed reels. */
export const fewestReels = 12;
/** Reels of one hour of the week under which nothing is said of it. */
export const fewestReelsOfHour = 3;
/** Views of a younger reel still grow, so it is not compared with others. */
export const settledHours = 72;
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
  return times.length > 1 && span > 0 ? (times.length - 1) / (span / week) : undefined;
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

/** Whether the reel is old enough for its views to be compared; a reel without a date is taken for an old one. */
export const isSettled = (reel: SeenReel, collectedAt: Date): boolean =>
  reel.postedAt === null || collectedAt.getTime() - reel.postedAt.getTime() > settledHours * hour;

/** An hour of the week and how many reels speak for it. */
export type HourOfWeek = PostingTime & { readonly reels: number; readonly medianViews: number };

/** The hours of the week in which enough settled reels were posted, highest typical views first: one viral reel makes no hour the best. */
export function postingHoursOf(reels: readonly SeenReel[], collectedAt: Date, timezone: string): HourOfWeek[] {
  const localTime = createLocalTime(timezone);
  const groups = new Map<string, { dayOfWeek: PostingTime["dayOfWeek"]; hour: number; views: number[] }>();
  for (const reel of reels) {
    if (reel.postedAt === null || reel.views === null || !isSettled(reel, collectedAt)) continue;
    const { dayOfWeek, hour: at } = localTime(reel.postedAt);
    const key = `${dayOfWeek} ${at}`;
    const group = groups.get(key) ?? { dayOfWeek, hour: at, views: [] };
    groups.set(key, group);
    group.views.push(reel.views);
  }
  return [...groups.values()]
    .filter(({ views }) => views.length >= fewestReelsOfHour)
    .map(({ dayOfWeek, hour: at, views }) => ({
      dayOfWeek,
      hour: at,
      avgViews: average(views)!,
      medianViews: median(views)!,
      reels: views.length,
    }))
    .toSorted(
      (one, other) =>
        other.medianViews - one.medianViews ||
        dayNames.indexOf(one.dayOfWeek) - dayNames.indexOf(other.dayOfWeek) ||
        one.hour - other.hour,
    );
}
