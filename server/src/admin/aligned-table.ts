/** Columns under titles, two spaces apart. */
export function alignedTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  return [titles, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Values after their labels, which have at most seven letters. */
export const labeledLines = (rows: readonly (readonly [string, string])[]): string[] =>
  rows.map(([label, value]) => `${label.padEnd(7)}  ${value}`);
