import { locale } from "../../../format/locale.ts";

const pad = (value: number): string => String(value).padStart(2, "0");

/** `2026-12-01T09:00` of a moment in UTC, for a field of local time. */
export function toLocalField(moment: string | null): string {
  if (moment === null) return "";
  const date = new Date(moment);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** The moment in UTC; null for an empty or half-filled field. */
export function fromLocalField(text: string): string | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

const shown = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});

/** Dec 1, 9:00 AM */
export const dayAndTime = (moment: string): string => shown.format(new Date(moment));

/** Europe/Lisbon (GMT+1) */
export function zoneName(): string {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" }).formatToParts(new Date());
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === "UTC" ? zone : `${zone.replaceAll("_", " ")} (${offset})`;
}
