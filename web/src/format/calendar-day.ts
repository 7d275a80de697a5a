import { locale } from "./locale.ts";

const dayMonth = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
const dayMonthYear = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const weekday = new Intl.DateTimeFormat(locale, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** A day of the calendar, `2026-06-01`, is the same day for everybody, wherever they are. */
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Jun 1 */
export const calendarDay = (day: string): string => dayMonth.format(dateOf(day));

/** Jun 1, 2026 */
export const calendarDayOfYear = (day: string): string => dayMonthYear.format(dateOf(day));

/** Mon, Jun 1 */
export const calendarWeekday = (day: string): string => weekday.format(dateOf(day));

/** Jun 1 – 30, 2026 */
export const calendarDays = (from: string, to: string): string => dayMonthYear.formatRange(dateOf(from), dateOf(to));
