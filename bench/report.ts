import { stdout } from "node:process";
import type { Started } from "./processes/start-service.ts";

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

const digitsOf = { "": 0, ms: 0, s: 1, MB: 0, KB: 2, GB: 2, x: 2, "%": 1 } as const;
type Unit = keyof typeof digitsOf;
const aims = {
  atMost: { words: "at most ", isMet: (value: number, limit: number) => value <= limit },
  atLeast: { words: "at least ", isMet: (value: number, limit: number) => value >= limit },
  exactly: { words: "", isMet: (value: number, limit: number) => value === limit },
} as const;

/** A number and optionally its aim. Percentages are given as shares of 1. */
export type Figure = {
  readonly what: string;
  readonly value: number;
  readonly unit?: Unit;
  readonly digits?: number;
} & { readonly [Aim in keyof typeof aims]?: number };

/** Prints tables as soon as they are known, and finally the number of aims that are met. */
export interface Report {
  table(columns: readonly string[], rows: readonly (readonly Cell[])[]): void;
  /** Begins a section; its title names aims that are missed. */
  section(title: string, ...notes: readonly string[]): void;
  note(text: string): void;
  /** Prints figures with their aims. Throws if one isn't a number, because then the bench has measured nothing. */
  figures(rows: readonly Figure[]): void;
  /** Prints how many aims are met, and those that are missed. */
  summary(): void;
}

/** How much a bench measures: all, fewer runs, or one run of as little as shows that the bench itself works. */
export type Extent = "whole" | "quick" | "smallest";

/** Arguments of every bench. */
export interface Needs {
  readonly report: Report;
  /** The bench's own folder, empty, removed afterward. */
  readonly folder: string;
  readonly extent: Extent;
  readonly threads: number;
  /** How many the scale bench fills a database with. */
  readonly transcripts: number;
  /** Scripts in the largest library. */
  readonly largest: number;
  /** The folder of collections that the reports bench judges; `undefined` for drawn ones. */
  readonly collections: string | undefined;
  /** A part of the name of each attack that is made on neighbors. */
  readonly attack: string;
  /** True if accuracy writes its figures. */
  readonly write: boolean;
  /** Registers something to stop after the bench, the last one first. */
  readonly started: Started;
}

export function createReport(): Report {
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
    section(title, ...notes) {
      current = title;
      stdout.write(`\n${bold(title)}\n${notes.map((note) => dim(`  ${note}\n`)).join("")}`);
    },
    note(text) {
      stdout.write(dim(`  ${text}\n`));
    },
    figures(rows) {
      for (const { what, value } of rows) if (!Number.isFinite(value)) throw new Error(`${what} was not measured`);
      const lines = rows.map(({ what, value, unit, digits, ...aimed }) => ({
        what,
        figure: formatFigure(value, unit, digits),
        aims: (Object.keys(aims) as (keyof typeof aims)[]).flatMap((kind) => {
          const limit = aimed[kind];
          if (limit === undefined) return [];
          const number = `${unit === "%" ? limit * 100 : limit}${unit ? ` ${unit}` : ""}`;
          return { text: `aim: ${aims[kind].words}${number}`, isMet: aims[kind].isMet(value, limit) };
        }),
      }));
      const wide = Math.max(...lines.map(({ what }) => what.length));
      const wideFigure = Math.max(...lines.map(({ figure }) => figure.length));
      for (const { what, figure, aims: given } of lines) {
        stdout.write(`  ${what.padEnd(wide)}  ${bold(figure.padStart(wideFigure))}`);
        for (const { text, isMet } of given) {
          stdout.write(`  ${dim(text)}  ${isMet ? green("met") : red("missed")}`);
          if (isMet) met += 1;
          else missed.push(`${current}: ${what}: ${figure} (${text})`);
        }
        stdout.write("\n");
      }
      stdout.write("\n");
    },
    summary() {
      stdout.write(`\n${bold("Aims")}  ${met} met, ${missed.length} missed\n`);
      for (const one of missed) stdout.write(`  ${red("missed")}  ${one}\n`);
      stdout.write("\n");
    },
  };
}

const align = (cell: string, width: number): string =>
  /^[\d.,–-]+( ?(%|ms|s|MB|x))?$/u.test(cell) ? cell.padStart(width) : cell.padEnd(width);

export const formatFigure = (value: number, unit: Unit = "", digits: number = digitsOf[unit]): string =>
  `${(unit === "%" ? value * 100 : value).toFixed(digits)}${unit && ` ${unit}`}`;
