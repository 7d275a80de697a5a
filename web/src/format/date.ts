import { locale } from "./locale.ts";

const day = 86_400_000;

const withoutYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const withYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const full = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** Nov 14; of other years Nov 14, 2025 */
export function shortDate(moment: string | Date, now = new Date()): string {
  const date = new Date(moment);
  return (date.getFullYear() === now.getFullYear() ? withoutYear : withYear).format(date);
}

/** Nov 14, 2026 */
export const longDate = (moment: string | Date): string => withYear.format(new Date(moment));

/** Saturday, November 14, 2026 at 6:20 PM; for hovering */
export const exactDate = (moment: string | Date): string => full.format(new Date(moment));

const log = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});

/** Nov 14, 6:20:04 PM: to the second, because that is how a line is found again in another log. */
export const logTime = (moment: string | Date): string => log.format(new Date(moment));

/** Just now; 4 min ago; Yesterday, 10:14 PM; Nov 14; in 12 min */
export function relativeDate(moment: string | Date, now = new Date()): string {
  const date = new Date(moment);
  const seconds = Math.round((date.getTime() - now.getTime()) / 1_000);
  if (Math.abs(seconds) < 60) return "Just now";
  if (Math.abs(seconds) < 3_600) return relative.format(Math.trunc(seconds / 60), "minute").replace(".", "");
  const days = Math.round((startOfDay(date) - startOfDay(now)) / day);
  if (days === 0) return `Today, ${clock.format(date)}`;
  if (days === -1) return `Yesterday, ${clock.format(date)}`;
  if (days === 1) return `Tomorrow, ${clock.format(date)}`;
  return shortDate(date, now);
}

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

const ofCalendar = (more: Intl.DateTimeFormatOptions = {}): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC", ...more });
const dayMonth = ofCalendar();
const dayMonthYear = ofCalendar({ year: "numeric" });
const weekday = ofCalendar({ weekday: "short" });

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
