import { stdout } from "node:process";

const colors = stdout.isTTY && stdout.hasColors();
const paint =
  (code: string) =>
  (text: string): string =>
    colors ? `\u001B[${code}m${text}\u001B[0m` : text;
const bold = paint("1");
const dim = paint("2");
const green = paint("32");
const red = paint("31");

type Cell = string | number;

interface Aim {
  readonly text: string;
  readonly isMet: boolean;
}
export interface Figure {
  readonly what: string;
  readonly figure: string;
  /** Of `atMost` or `atLeast`. */
  readonly aim?: Aim;
}

export type Report = ReturnType<typeof createReport>;

/** What every bench is given. */
export interface Needs {
  readonly report: Report;
  /** Of its own, empty, removed afterward. */
  readonly folder: string;
  /** Fewer runs. */
  readonly quick: boolean;
  readonly threads: number;
  /** How many the benches of search, scale, capacity and backup fill a database with. */
  readonly transcripts: number;
  /** Whether accuracy keeps its figures. */
  readonly write: boolean;
}

/** Prints tables as they become known, and at the end how many aims are met. */
export function createReport() {
  const missed: string[] = [];
  let met = 0;
  let current = "";

  function table(columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
    const widths = columns.map((column, index) =>
      Math.max(column.length, ...rows.map((row) => String(row[index]).length)),
    );
    const line = (cells: readonly Cell[]): string =>
      `  ${cells.map((cell, index) => align(String(cell), widths[index]!)).join("  ")}`.trimEnd();
    stdout.write(`${dim(line(columns))}\n${rows.map((row) => `${line(row)}\n`).join("")}\n`);
  }

  return {
    table,
    section(title: string, ...notes: string[]): void {
      current = title;
      stdout.write(`\n${bold(title)}\n${notes.map((note) => dim(`  ${note}\n`)).join("")}`);
    },
    note(text: string): void {
      stdout.write(dim(`  ${text}\n`));
    },
    figures(rows: readonly Figure[]): void {
      const wide = Math.max(...rows.map(({ what }) => what.length));
      const wideFigure = Math.max(...rows.map(({ figure }) => figure.length));
      for (const { what, figure, aim } of rows) {
        let verdict = "";
        if (aim !== undefined) {
          verdict = `  ${dim(aim.text)}  ${aim.isMet ? green("met") : red("missed")}`;
          if (aim.isMet) met += 1;
          else missed.push(`${current}: ${what}: ${figure} (${aim.text})`);
        }
        stdout.write(`  ${what.padEnd(wide)}  ${bold(figure.padStart(wideFigure))}${verdict}\n`);
      }
      stdout.write("\n");
    },
    summary(): void {
      stdout.write(`\n${bold("Aims")}  ${met} met, ${missed.length} missed\n`);
      for (const one of missed) stdout.write(`  ${red("missed")}  ${one}\n`);
      stdout.write("\n");
    },
  };
}

const align = (cell: string, width: number): string =>
  /^[\d.,–-]+( ?(%|ms|s|MB|x))?$/u.test(cell) ? cell.padStart(width) : cell.padEnd(width);

export const atMost = (value: number, limit: number, unit = ""): Aim => ({
  text: `aim: at most ${limit}${unit}`,
  isMet: value <= limit,
});
export const atLeast = (value: number, limit: number, unit = ""): Aim => ({
  text: `aim: at least ${limit}${unit}`,
  isMet: value >= limit,
});

export const ratio = (value: number): string => `${value.toFixed(2)} x`;
export const milliseconds = (value: number): string => `${Math.round(value)} ms`;
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
