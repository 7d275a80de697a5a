import type { ReportWeek } from "@reelscript/contract";
import { calendarDayOfYear } from "../../format/calendar-day.ts";
import { shortNumber } from "../../format/number.ts";

/** The typical views of a week; older reports know the average alone. */
export const viewsOfWeek = ({ medianViews, avgViews }: ReportWeek): number | undefined => medianViews ?? avgViews;

/** What the drawing of views over time says, in words. */
export function viewsSentence(weeks: readonly ReportWeek[]): string {
  const [first, last] = [weeks[0], weeks.at(-1)];
  const views = weeks.flatMap((week) => viewsOfWeek(week) ?? []);
  if (first === undefined || last === undefined || views.length === 0) return "No views are known.";
  return `Typical views per week from ${calendarDayOfYear(first.start)} to ${calendarDayOfYear(last.start)}, between ${shortNumber(Math.min(...views))} and ${shortNumber(Math.max(...views))}.`;
}
