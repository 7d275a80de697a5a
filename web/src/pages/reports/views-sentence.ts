import type { ReportWeek } from "@reelscript/contract";
import { calendarDay, calendarDayOfYear } from "../../format/calendar-day.ts";
import { shortNumber } from "../../format/number.ts";

/** The typical views of a week; older reports know the average alone. */
export const viewsOfWeek = ({ medianViews, avgViews }: ReportWeek): number | undefined => medianViews ?? avgViews;

/** What the drawing of views over time says, in words. */
export function viewsSentence(weeks: readonly ReportWeek[]): string {
  const [first, last] = [weeks[0], weeks.at(-1)];
  const viewed = weeks.flatMap((week) => {
    const views = viewsOfWeek(week);
    return views === undefined ? [] : [{ start: week.start, views }];
  });
  const [best] = viewed.toSorted((one, other) => other.views - one.views);
  if (first === undefined || last === undefined || best === undefined) return "No views are known.";
  const half = Math.floor(viewed.length / 2);
  const earlier = mean(viewed.slice(0, half));
  const later = mean(viewed.slice(-half));
  const course =
    half === 0
      ? ""
      : ` From the first half to the second they go from ${shortNumber(earlier)} to ${shortNumber(later)}.`;
  return `Typical views per week from ${calendarDayOfYear(first.start)} to ${calendarDayOfYear(last.start)}.${course} The highest is ${shortNumber(best.views)} in the week of ${calendarDay(best.start)}.`;
}

const mean = (weeks: readonly { readonly views: number }[]): number =>
  weeks.reduce((sum, { views }) => sum + views, 0) / Math.max(1, weeks.length);
