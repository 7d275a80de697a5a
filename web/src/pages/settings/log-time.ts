import { locale } from "../../format/locale.ts";

const format = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});

/** Nov 14, 6:20:04 PM: to the second, because that is how a line is found again in another log. */
export const logTime = (moment: string): string => format.format(new Date(moment));
