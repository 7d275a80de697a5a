import type { CompetitorReport, PostingTime } from "@reelscript/contract";
import { dayNames } from "@reelscript/contract/values";

/** What is known of an hour of the week. */
export interface SeenHour {
  /** 0 is Monday. */
  readonly day: number;
  readonly hour: number;
  /** Unknown in older reports. */
  readonly reels?: number;
  /** Unknown while all its reels are too young. */
  readonly avgViews?: number;
  /** Unknown in older reports. */
  readonly medianViews?: number;
}

/** The hours in which reels were posted; of older reports the best hours only; `undefined` when nothing is known. */
export function seenHours(report: Pick<CompetitorReport, "postingHours" | "bestPostingTimes">):
  | {
      readonly hours: readonly SeenHour[];
      readonly complete: boolean;
    }
  | undefined {
  const hours = report.postingHours ?? report.bestPostingTimes;
  if (hours === undefined || hours.length === 0) return undefined;
  return {
    hours: hours.map(({ dayOfWeek, ...hour }) => ({ day: dayNames.indexOf(dayOfWeek), ...hour })),
    complete: report.postingHours !== undefined,
  };
}

/** The day with the most reels; `undefined` where two have as many. */
export function busiestDay(hours: CompetitorReport["postingHours"] = []): PostingTime["dayOfWeek"] | undefined {
  const reels = dayNames.map((day) =>
    hours.filter(({ dayOfWeek }) => dayOfWeek === day).reduce((sum, hour) => sum + hour.reels, 0),
  );
  const most = Math.max(...reels);
  const busiest = dayNames.filter((_, index) => reels[index] === most);
  return most > 0 && busiest.length === 1 ? busiest[0] : undefined;
}

/** 7 is 07:00. */
export const clockHour = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** Reels under which an hour is no more than a hint. */
export const fewestReelsOfHour = 3;

/** What an hour is compared by: its typical views, of which one viral reel makes no best hour. */
export const viewsOfHour = ({ medianViews, avgViews }: SeenHour): number | undefined => medianViews ?? avgViews;

/** The hours with enough reels, best first. */
export const bestHours = (hours: readonly SeenHour[]): readonly (SeenHour & { readonly views: number })[] =>
  hours
    .flatMap((hour) => {
      const views = viewsOfHour(hour);
      return views === undefined || (hour.reels ?? fewestReelsOfHour) < fewestReelsOfHour ? [] : [{ ...hour, views }];
    })
    .toSorted((one, other) => other.views - one.views);
