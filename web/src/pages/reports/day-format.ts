import { locale } from "../../format/locale.ts";

/** A format of days in a report's own time zone; in the reader's where the browser does not know it. */
export function dayFormat(timezone: string): Intl.DateTimeFormat {
  const options = { day: "numeric", month: "short", year: "numeric" } as const;
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone });
  } catch {
    return new Intl.DateTimeFormat(locale, options);
  }
}
