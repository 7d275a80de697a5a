import type { TopReel } from "@reelscript/contract";

const columns: readonly (readonly [string, (reel: TopReel) => string | number | undefined])[] = [
  ["url", ({ url }) => url],
  ["caption", ({ caption }) => caption],
  ["views", ({ views }) => views],
  ["likes", ({ likes }) => likes],
  ["comments", ({ comments }) => comments],
  ["engagement_rate_percent", ({ engagementRate }) => engagementRate && Number(engagementRate.toFixed(4))],
  ["posted_at", ({ postedAt }) => postedAt],
  ["duration_seconds", ({ durationSeconds }) => durationSeconds],
];

/** RFC 4180, with the mark by which spreadsheets know UTF-8. */
export function topReelsCsv(reels: readonly TopReel[]): string {
  const lines = [columns.map(([name]) => name), ...reels.map((reel) => columns.map(([, value]) => cell(value(reel))))];
  return `\uFEFF${lines.map((line) => `${line.join(",")}\r\n`).join("")}`;
}

function cell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  // Captions are other people's words: a spreadsheet would run what begins like a formula.
  const safe = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
