/** A format of days in a report's own time zone; in the reader's where the browser does not know it. */
export function dayFormat(timezone: string): Intl.DateTimeFormat {
  const options = { day: "numeric", month: "short", year: "numeric" } as const;
  try {
    return new Intl.DateTimeFormat(undefined, { ...options, timeZone: timezone });
  } catch {
    return new Intl.DateTimeFormat(undefined, options);
  }
}

const calendarDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const calendarDayOfYear = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** `2026-06-01`: 1 Jun. A day of the calendar is the same day for everybody. */
export const shownDay = (day: string): string => calendarDay.format(new Date(`${day}T00:00:00Z`));
export const shownDayOfYear = (day: string): string => calendarDayOfYear.format(new Date(`${day}T00:00:00Z`));
