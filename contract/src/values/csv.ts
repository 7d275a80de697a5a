type Cell = string | number | null | undefined;

/** RFC 4180, with the mark by which spreadsheets know UTF-8. */
export function csv<Row>(
  columns: readonly (readonly [name: string, value: (row: Row) => Cell])[],
  rows: readonly Row[],
): string {
  const lines = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, value]) => cell(value(row))))];
  return `\uFEFF${lines.map((line) => `${line.join(",")}\r\n`).join("")}`;
}

function cell(value: Cell): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(value);
  // These are other people's words: a spreadsheet would run what begins like a formula.
  const safe = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
