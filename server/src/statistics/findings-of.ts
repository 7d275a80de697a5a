import {
  dayMilliseconds,
  dayOf,
  dayNames,
  type PostingHour,
  type ReportFindings,
  type ReportWeek,
} from "@reelscript/contract";
import { average, grouped, knownValues, median } from "./averages.ts";
import { comparisonsOf, steadyFiguresOf } from "./comparisons-of.ts";
import { kindsOfReels } from "./kinds-of-reels.ts";
import type { MergedReels, SeenReel } from "./merge-reels.ts";
import { multiplesOf, outliersOf, topicsOfOutliers } from "./outliers.ts";
import { engagementOf, followerFiguresOf, intervalsOf, metricsOf, showReel, topReelsOf } from "./report-figures.ts";
import { growingOf, isSettled, sampleOf, type Sample } from "./sample.ts";
import { fewestDays, fewestReels, listedOutliers, outsideRange, reelsForNext, reelsForRange } from "./thresholds.ts";
import { createLocalTime, traitsOf, type LocalTime } from "./traits.ts";

/** The account whose reels a report is about, and the moment of their collection. */
interface ReportSource {
  /** The account's handle, without @. */
  readonly handle: string;
  /** IANA name. */
  readonly timezone: string;
  readonly collectedAt: Date;
  /** The account's followers when the reels were collected. */
  readonly followers?: number | undefined;
}

/** Makes the findings of a report from reels that were merged. Pure: the order of the reels changes nothing. */
export function findingsOf({ reels, unknownValues, aboveViews }: MergedReels, source: ReportSource): ReportFindings {
  const { collectedAt, timezone } = source;
  const engagement = engagementOf(reels);
  const sample = sampleOf(reels, collectedAt);
  const isCompared = "counted" in sample;
  const multiples = isCompared ? multiplesOf(sample) : new Map<never, number>();
  const topReelOf = showReel(engagement, multiples, collectedAt);
  const outliers = outliersOf(multiples);
  const traits = traitsOf(reels, timezone);
  const comparisons = isCompared ? comparisonsOf(sample, engagement, { ...source, traits }) : [];
  const counted = isCompared ? sample.counted.length : 0;
  return {
    metrics: metricsOf(reels, engagement),
    topReels: topReelsOf(reels, topReelOf),
    ...chartsOf(reels, collectedAt, timezone),
    intervals: intervalsOf(reels, engagement),
    ...(comparisons.length > 0 && { comparisons }),
    ...(isCompared
      ? {
          ...(comparisons.length === 0 && {
            notCompared: { reason: "allAlike" as const, reels: counted, needed: fewestReels },
          }),
          steady: steadyFiguresOf(sample, timezone),
          nextReel: nextReelOf(sample),
        }
      : { notCompared: sample }),
    ...(outliers.length > 0 && {
      outliers: outliers.slice(0, listedOutliers).map(topReelOf),
      outlierCount: outliers.length,
      outlierTopics: outliers.length > 1 ? topicsOfOutliers(outliers, reels, source.handle) : [],
    }),
    growing: growingOf(reels, collectedAt),
    engagementFrom: engagement.from,
    ...kindsOfReels(reels, { traits, multiples, engagement, handle: source.handle }),
    ...(source.followers !== undefined && { followers: followerFiguresOf(reels, source.followers) }),
    ...(Object.keys(unknownValues).length > 0 && { unknownValues }),
    ...(Object.keys(aboveViews).length > 0 && { aboveViews }),
  };
}

/** Estimates what the next reel is likely to get, from the newest reels; `undefined` where they are too few to have a range. */
function nextReelOf({ outcome, counted }: Sample): ReportFindings["nextReel"] {
  const counts = counted.filter(({ reel }) => reel.postedAt !== null).map(({ count }) => count);
  const typical = median(counts.slice(-reelsForNext));
  const newest = counts.slice(-reelsForRange).toSorted((one, other) => one - other);
  // Ranks from 1: a next value falls below rank k of n with probability k / (n + 1).
  const rank = outsideRange * (newest.length + 1);
  if (typical === undefined || rank < 1) return undefined;
  const low = outward(atRank(newest, rank), Math.floor);
  const high = outward(atRank(newest, newest.length + 1 - rank), Math.ceil);
  // A range without width says nothing.
  return low === high ? undefined : { outcome, typical, low, high };
}

const digits = 2;

/** Rounded outward to two digits, so that rounding doesn't narrow the range. */
function outward(count: number, round: (value: number) => number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) + 1 - digits);
  return round(count / unit) * unit;
}

/** Between two ranks, a count between theirs. */
function atRank(sorted: readonly number[], rank: number): number {
  const lower = sorted[Math.floor(rank) - 1]!;
  const upper = sorted[Math.ceil(rank) - 1]!;
  return Math.round(lower + (upper - lower) * (rank - Math.floor(rank)));
}

const weekMilliseconds = 7 * dayMilliseconds;

/** Charts over time; none when no reel has a date. */
function chartsOf(
  reels: readonly SeenReel[],
  collectedAt: Date,
  timezone: string,
): Pick<ReportFindings, "firstPostedAt" | "lastPostedAt" | "weeks" | "postingHours"> {
  const localTime = createLocalTime(timezone);
  const posted = reels
    .flatMap((reel) => (reel.postedAt === null ? [] : [{ ...reel, at: reel.postedAt, ...localTime(reel.postedAt) }]))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const first = posted[0];
  const last = posted.at(-1);
  if (first === undefined || last === undefined) return {};
  return {
    firstPostedAt: first.at.toISOString(),
    lastPostedAt: last.at.toISOString(),
    ...(last.at.getTime() - first.at.getTime() >= fewestDays * dayMilliseconds && { weeks: weeksOf(posted) }),
    postingHours: everyPostingHourOf(posted, collectedAt),
  };
}

type Posted = SeenReel & LocalTime;

/** Every week from the first reel to the last, also those without reels. Oldest reel first. */
function weeksOf(posted: readonly Posted[]): ReportWeek[] {
  const byWeek = grouped(posted, mondayOf);
  const mondays = [...byWeek.keys()];
  const weeks: ReportWeek[] = [];
  for (let monday = Math.min(...mondays); monday <= Math.max(...mondays); monday += weekMilliseconds) {
    const reels = byWeek.get(monday) ?? [];
    const views = knownValues(reels, (reel) => reel.views);
    const start = dayOf(new Date(monday));
    weeks.push({ start, reels: reels.length, avgViews: average(views), medianViews: median(views) });
  }
  return weeks;
}

/** Calendar days are computed in UTC, where each has 24 hours. */
const mondayOf = ({ day, dayOfWeek }: Posted): number => day.getTime() - dayNames.indexOf(dayOfWeek) * dayMilliseconds;

function everyPostingHourOf(posted: readonly Posted[], collectedAt: Date): PostingHour[] {
  const hourOfWeek = ({ dayOfWeek, hour }: Posted): number => dayNames.indexOf(dayOfWeek) * 24 + hour;
  return [...grouped(posted, hourOfWeek)]
    .toSorted(([one], [other]) => one - other)
    .map(([weekHour, reels]) => {
      const settledViews = knownValues(
        reels.filter((reel) => isSettled(reel, collectedAt)),
        ({ views }) => views,
      );
      return {
        dayOfWeek: dayNames[Math.floor(weekHour / 24)]!,
        hour: weekHour % 24,
        reels: reels.length,
        ...(settledViews.length > 0 && {
          settledReels: settledViews.length,
          avgViews: average(settledViews),
          medianViews: median(settledViews),
        }),
      };
    });
}
