import type { Page } from "./surroundings.ts";
import { padEnd, padStart, textWidth } from "./text.ts";

export interface Column<Row> {
  readonly title: string;
  readonly right?: boolean;
  readonly cell: (row: Row) => string;
}

/** Aligned columns under dim titles, two spaces apart; `below` adds lines under a row. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  page: Page,
  below: (row: Row) => readonly string[] = () => [],
): string {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const widths = columns.map(({ title }, index) =>
    Math.max(textWidth(title), ...cells.map((row) => textWidth(row[index]!))),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => (columns[index]!.right ? padStart(text, widths[index]!) : padEnd(text, widths[index]!)))
      .join("  ")
      .trimEnd();
  return [
    page.dim(line(columns.map(({ title }) => title))),
    ...rows.flatMap((row, index) => [line(cells[index]!), ...below(row)]),
  ].join("\n");
}

/** Any answer as aligned lines of label and value; what is nested is labeled by its way there. */
export function describe(answer: Readonly<Record<string, unknown>>, page: Page): string {
  const lines = flatten(answer, "");
  const width = Math.max(0, ...lines.map(([label]) => textWidth(label)));
  return lines.map(([label, value]) => `${page.dim(padEnd(label, width))}  ${showValue(value)}`.trimEnd()).join("\n");
}

/** A value in the words of a person: dates in UTC, grouped digits, a dash for what is not known. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return value.toLocaleString("en-US");
  if (typeof value !== "string") return JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? `${value.slice(0, 10)} ${value.slice(11, 16)} UTC`
    : value.replaceAll("\n", " ");
}

function flatten(value: unknown, label: string): [string, unknown][] {
  if (value === null || typeof value !== "object") return [[label, value]];
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [String(index + 1), item])
    : Object.entries(value);
  if (entries.length === 0) return [[label, undefined]];
  return entries.flatMap(([name, item]) => flatten(item, readable(label === "" ? name : `${label} ${name}`)));
}

/** `postedAt` becomes `Posted at`. */
function readable(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
