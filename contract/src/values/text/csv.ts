type Cell = string | number | null | undefined;

export type CsvColumns<Row> = readonly (readonly [name: string, value: (row: Row) => Cell])[];

/** RFC 4180, with the byte order mark by which spreadsheets recognize UTF-8. */
export const csv = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  csvHead(columns) + csvLines(columns, rows);

/** The beginning of a file: the byte order mark and the names of the columns. */
export const csvHead = <Row>(columns: CsvColumns<Row>): string =>
  `\uFEFF${columns.map(([name]) => name).join(",")}\r\n`;

export const csvLines = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  rows.map((row) => `${columns.map(([, value]) => cell(value(row))).join(",")}\r\n`).join("");

function cell(value: Cell): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(value);
  // The texts come from strangers, and a spreadsheet would run one that begins like a formula.
  const safe = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
