import type { Page } from "./page.ts";
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
