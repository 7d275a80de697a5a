import { locale } from "../../format/locale.ts";

const format = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});

/** 14 Nov, 18:20:04: to the second, because that is how a line is found again in another log. */
export const logTime = (moment: string): string => format.format(new Date(moment));
