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

const plurals = new Intl.PluralRules("en");

/** `counted(1, "script", "scripts")`: 1 script, 1,204 scripts */
export const counted = (value: number, one: string, other: string): string =>
  `${exactNumber(value)} ${plurals.select(value) === "one" ? one : other}`;
