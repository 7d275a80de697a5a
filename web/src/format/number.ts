import { locale } from "./locale.ts";

const exact = new Intl.NumberFormat(locale);
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 });

/** 1,284,903 */
export const exactNumber = (value: number): string => exact.format(value);

/** For lists: 1.28M, 918K, 412 */
export const shortNumber = (value: number): string => compact.format(value);

/** `6.4%`; details take two digits. */
export function percent(value: number, digits = 1): string {
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number.format(value)}%`;
}

const twoDigits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });

/** `2.4× typical`; times 1,300, not 1,284. */
export const timesTypical = (value: number): string => `${twoDigits.format(value)}× typical`;

const plurals = new Intl.PluralRules("en");

/** `counted(1, "script", "scripts")`: 1 script, 1,204 scripts */
export const counted = (value: number, one: string, other: string): string =>
  `${exactNumber(value)} ${plurals.select(value) === "one" ? one : other}`;

/** `+24%` against what was before; `undefined` where there was nothing to compare with. */
export function changeSince(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return "as many";
  // A true minus sign, as wide as the plus.
  return `${change > 0 ? "+" : "\u2212"}${percent(Math.abs(change), 0)}`;
}

/** 0:41, 12:05, 1:02:09 */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
