import { stdout } from "node:process";

const colors = stdout.isTTY === true && stdout.hasColors();
const paint = (code) => (text) => (colors ? `\u001B[${code}m${text}\u001B[0m` : text);
const bold = paint("1");
const dim = paint("2");
const green = paint("32");
const red = paint("31");

/** Prints tables as they become known, and at the end how many aims are met. */
export function createReport() {
  const missed = [];
  let met = 0;
  let current = "";

  function table(columns, rows) {
    const widths = columns.map((column, index) =>
      Math.max(column.length, ...rows.map((row) => String(row[index]).length)),
    );
    const line = (cells) => `  ${cells.map((cell, index) => align(String(cell), widths[index])).join("  ")}`.trimEnd();
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
    /** Rows of `{ what, figure, aim }`; `aim` is of `atMost` or `atLeast`, or nothing. */
    figures(rows) {
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
    summary() {
      stdout.write(`\n${bold("Aims")}  ${met} met, ${missed.length} missed\n`);
      for (const one of missed) stdout.write(`  ${red("missed")}  ${one}\n`);
      stdout.write("\n");
    },
  };
}

const align = (cell, width) =>
  /^[\d.,–-]+( ?(%|ms|s|MB|x))?$/u.test(cell) ? cell.padStart(width) : cell.padEnd(width);

export const atMost = (value, limit, unit = "") => ({ text: `aim: at most ${limit}${unit}`, isMet: value <= limit });
export const atLeast = (value, limit, unit = "") => ({ text: `aim: at least ${limit}${unit}`, isMet: value >= limit });

export const ratio = (value) => `${value.toFixed(2)} x`;
export const milliseconds = (value) => `${Math.round(value)} ms`;
export const percent = (share) => `${(share * 100).toFixed(1)} %`;
