import type { Page } from "./surroundings.ts";

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Columns that a text takes on a terminal, whatever its script; combining marks take none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

export const padEnd = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - textWidth(text)));

const padStart = (text: string, width: number): string => " ".repeat(Math.max(0, width - textWidth(text))) + text;

/** Lines of at most `width` columns; breaks between words only, keeps line breaks. */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(/[ \t]+/)) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (line !== "" && textWidth(longer) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return [...lines, line];
  });
}

/** One line of at most `width` columns, with … if something was cut off. */
export function shortenText(text: string, width: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (textWidth(line) <= width) return line;
  let beginning = "";
  let used = 1;
  for (const { segment } of graphemes.segment(line)) {
    used += textWidth(segment);
    if (used > width) break;
    beginning += segment;
  }
  return `${beginning.trimEnd()}…`;
}

/** Text from outside must not steer the terminal, so control characters and overrides of direction are dropped. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === "\n" || character === "\t" ? character : "",
  );
}

/** `plainText` for every string in an answer. */
export function plainAnswer<Answer>(answer: Answer): Answer {
  if (typeof answer === "string") return plainText(answer) as Answer;
  if (Array.isArray(answer)) return answer.map((item) => plainAnswer<unknown>(item)) as Answer;
  if (answer === null || typeof answer !== "object") return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, plainAnswer(value)])) as Answer;
}

interface Column<Row> {
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

/** A value for people: dates in UTC, grouped digits, a dash for an unknown value. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return value.toLocaleString("en-US");
  if (typeof value !== "string") return JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? `${value.slice(0, 10)} ${value.slice(11, 16)} UTC`
    : value.replaceAll("\n", " ");
}

/** A percentage, or a dash when it is unknown. */
export const showPercentage = (value: number | undefined): string =>
  value === undefined ? "–" : `${value.toFixed(1)}%`;
