import type { PlanName } from "@reelscript/contract";
import { languages, plans } from "@reelscript/contract/values";

/** The interface has one language, and therefore one style of dates and numbers: Nov 21, 2026 and 1,234. */
export const locale = "en-US";

/**
 * Created on first use. The first formatter in a window loads the rules for all of them, which takes a slow phone a quarter of
 * a second: too long before the first paint.
 */
export function whenUsed<Value>(make: () => Value): () => Value {
  let used: { readonly value: Value } | undefined;
  return () => (used ??= { value: make() }).value;
}

/** The commas of 1,284,903. Numbers and days on every page are formatted without the browser's formatters. */
const grouped = (digits: string): string => digits.replace(/\d(?=(\d{3})+(?!\d))(?<!\.\d*)/g, "$&,");

/** 1,284,903 */
export const exactNumber = (value: number): string => grouped(String(Math.round(value * 1_000) / 1_000));

const thousands = ["", "K", "M", "B", "T"] as const;

/** For lists: 1.28M, 918K, 412 */
export function shortNumber(value: number): string {
  const rounded = Number(value.toPrecision(3));
  const power = Math.min(thousands.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(rounded) || 1) / 3)));
  return `${Number((rounded / 1_000 ** power).toPrecision(3))}${thousands[power]!}`;
}

/** For forecasts, which aren't known to three digits: 280K */
export const shortEstimate = (value: number): string => shortNumber(Number(value.toPrecision(2)));

export const megabytes = (bytes: number): string =>
  bytes < 1_000_000 ? "less than 1 MB" : `${exactNumber(Math.round(bytes / 1_000_000))} MB`;

/** `6.4%`; detail views use two digits. */
export const percent = (value: number, digits: 0 | 1 | 2 = 1): string => `${grouped(value.toFixed(digits))}%`;

/** `2.4x`; 1,300x, not 1,284x. */
export const times = (value: number): string => `${grouped(String(Number(value.toPrecision(2))))}x`;

/** `2.4x this account’s usual views` */
export const timesUsualViews = (value: number): string => `${times(value)} this account’s usual views`;

/** `counted(1, "script", "scripts")`: 1 script, 1,204 scripts */
export const counted = (value: number, one: string, other: string): string =>
  `${exactNumber(value)} ${value === 1 ? one : other}`;

/** `+24%` compared with the previous value; `undefined` if there is nothing to compare with. */
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

const day = 86_400_000;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const withoutYear = (date: Date): string => `${months[date.getMonth()]} ${date.getDate()}`;
const clock = whenUsed(() => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
const full = whenUsed(() => new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" }));
const relative = whenUsed(() => new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" }));

/** Nov 14; in other years Nov 14, 2025 */
export function shortDate(moment: string | Date, now = new Date()): string {
  const date = new Date(moment);
  return date.getFullYear() === now.getFullYear() ? withoutYear(date) : longDate(date);
}

/** Nov 14, 2026 */
export function longDate(moment: string | Date): string {
  const date = new Date(moment);
  return `${withoutYear(date)}, ${date.getFullYear()}`;
}

/** Saturday, November 14, 2026 at 6:20 PM; shown on hover */
export const exactDate = (moment: string | Date): string => full().format(new Date(moment));

const log = whenUsed(
  () =>
    new Intl.DateTimeFormat(locale, {
      day: "numeric",
      month: "short",
      hour: "numeric",
      minute: "2-digit",
      second: "2-digit",
    }),
);

/** Nov 14, 6:20:04 PM: to the second, so that people can find the line in other logs. */
export const logTime = (moment: string | Date): string => log().format(new Date(moment));

/** Just now; 4 min ago; Yesterday, 10:14 PM; Nov 14; in 12 min */
export function relativeDate(moment: string | Date, now = new Date()): string {
  const date = new Date(moment);
  const seconds = Math.round((date.getTime() - now.getTime()) / 1_000);
  if (Math.abs(seconds) < 60) return "Just now";
  if (Math.abs(seconds) < 3_600)
    return relative()
      .format(Math.trunc(seconds / 60), "minute")
      .replace(".", "");
  const days = Math.round((startOfDay(date) - startOfDay(now)) / day);
  if (days === 0) return `Today, ${clock().format(date)}`;
  if (days === -1) return `Yesterday, ${clock().format(date)}`;
  if (days === 1) return `Tomorrow, ${clock().format(date)}`;
  return shortDate(date, now);
}

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

const ofCalendar = (more: Intl.DateTimeFormatOptions = {}): (() => Intl.DateTimeFormat) =>
  whenUsed(() => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC", ...more }));
const dayMonth = ofCalendar();
const dayMonthYear = ofCalendar({ year: "numeric" });
const weekday = ofCalendar({ weekday: "short" });

/** A day of the calendar, `2026-06-01`, is the same day for everybody, wherever they are. */
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Jun 1 */
export const calendarDay = (day: string): string => dayMonth().format(dateOf(day));

/** Jun 1, 2026 */
export const calendarDayOfYear = (day: string): string => dayMonthYear().format(dateOf(day));

/** Mon, Jun 1 */
export const calendarWeekday = (day: string): string => weekday().format(dateOf(day));

/** Jun 1 – 30, 2026 */
export const calendarDays = (from: string, to: string): string => dayMonthYear().formatRange(dateOf(from), dateOf(to));

const languageNames = whenUsed(() => new Intl.DisplayNames("en", { type: "language", fallback: "code" }));

/** Returns text that isn't a code unchanged. */
function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** "Tamil" for "ta"; "und" is a reel without speech. */
export const languageName = (code: string): string =>
  code === "und"
    ? "No speech"
    : Object.hasOwn(languages, code)
      ? languages[code as keyof typeof languages]
      : nameOf(languageNames(), code);

export const largestPlan: PlanName = "creator";

export const planName = (plan: PlanName): string => plans[plan].name;

/** An address without its obvious parts: `lenabakes.com/nine`, `instagram.com/reel/DQx7Kb2sV1n`. */
export const shownAddress = (url: string): string =>
  url.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:|sms:)/i, "").replace(/\/$/, "");

const regions = whenUsed(() => new Intl.DisplayNames("en", { type: "region", fallback: "code" }));

export const countryName = (code: string): string => nameOf(regions(), code.toUpperCase());

interface Allowance {
  /** Whose quota it is: a key, or several users. Without it, the reader's. */
  readonly name?: string;
  readonly plural?: boolean;
  readonly limit: number;
  /** `null` if it never resets. */
  readonly resetsAt: string | null;
}

/** You’ve used all 250 transcriptions. They renew on Dec 3. Upgrade to Creator to continue now. */
export function quotaSentence(
  { name, plural = false, limit, resetsAt }: Allowance,
  larger: readonly string[],
  now = new Date(),
): string {
  const user = name === undefined ? "You’ve" : `${name} ${plural ? "have" : "has"}`;
  const free = resetsAt === null ? "free " : "";
  const used = `${user} used all ${exactNumber(limit)} ${free}transcriptions.`;
  const upgrade = larger.length > 0 ? ` Upgrade to ${larger.join(" or ")} to continue now.` : "";
  if (resetsAt === null) return larger.length > 0 ? `${used} Upgrade to continue.` : used;
  return Date.parse(resetsAt) > now.getTime()
    ? `${used} They renew on ${shortDate(resetsAt, now)}.${upgrade}`
    : `${used} Pay the open invoice to continue.`;
}

const longestLead = 90;
const wordsWithoutEnd = 10;

/** Splits a caption into its first sentence, or its first words, and the rest. */
export function captionParts(caption: string) {
  const text = caption.trim();
  const end = /[.!?…।؟](?=\s|$)|\n/u.exec(text);
  if (end && end.index < longestLead) {
    const after = end.index + 1;
    return { lead: text.slice(0, after).trim(), rest: text.slice(after).trim() };
  }
  const words = text.split(/\s+/);
  return { lead: words.slice(0, wordsWithoutEnd).join(" "), rest: words.slice(wordsWithoutEnd).join(" ") };
}

/** A reel's name in one line: the lead of its caption, or else its handle. */
export const leadOf = (caption: string | null | undefined, handle: string): string =>
  caption?.trim() ? captionParts(caption).lead : `@${handle}`;
