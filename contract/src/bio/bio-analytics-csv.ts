import type { BioAnalytics } from "./bio-analytics.ts";

type Cell = string | number | boolean | null;

const columns = ["table", "name", "address", "views", "clicks", "visitors", "clickers", "share"] as const;
type Row = { readonly table: string; readonly name: Cell } & {
  readonly [Column in Exclude<(typeof columns)[number], "table" | "name">]?: Cell;
};

/**
 * All figures in one table whose first column says what a row is about, so that a spreadsheet can filter it. A day before
 * the first that was counted has empty cells, not zeros. By RFC 4180, with a byte order mark for spreadsheets.
 */
export function bioAnalyticsCsv(analytics: BioAnalytics): string {
  const { from, to, previous, series, links, referrers, countries, devices, excluded, countedSince } = analytics;
  const rows: Row[] = [
    { table: "period", name: `${from} to ${to}`, ...totals(analytics) },
    { table: "before", name: `${previous.from} to ${previous.to}`, ...totals(previous) },
    ...series.map(({ date, views, clicks, uniqueVisitors, uniqueClickers }): Row =>
      countedSince === null || date < countedSince
        ? { table: "day", name: date }
        : { table: "day", name: date, views, clicks, visitors: uniqueVisitors, clickers: uniqueClickers },
    ),
    ...links.map(({ title, url, clicks, share, deleted }): Row => ({
      table: deleted ? "deleted link" : "link",
      name: title,
      address: url,
      clicks,
      share,
    })),
    ...referrers.map(({ host, views }): Row => ({ table: "source", name: host ?? "not known", views })),
    ...(countries ?? []).map(({ country, views }): Row => ({ table: "country", name: country ?? "not known", views })),
    ...devices.map(({ device, views }): Row => ({ table: "device", name: device, views })),
    ...Object.entries(excluded).map(([reason, requests]): Row => ({
      table: "left out",
      name: reason,
      views: requests,
    })),
  ];
  const lines = [
    columns.join(","),
    ...rows.map((row) => columns.map((column) => cellOf(row[column] ?? null)).join(",")),
  ];
  return `\uFEFF${lines.join("\r\n")}\r\n`;
}

const totals = ({
  views,
  clicks,
  dailyUniqueVisitors: visitors,
  dailyUniqueClickers: clickers,
}: BioAnalytics["previous"] | BioAnalytics) => ({ views, clicks, visitors, clickers });

/** Spreadsheets would run a text that begins like a formula. */
function cellOf(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
