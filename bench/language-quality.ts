/**
 * The table of how well the embedded model recognizes each language. On request the bench writes it next to the model and into
 * the README; run directly, this file rewrites the README's part or, with `--check`, says whether it is correct.
 */
import { readFile, writeFile } from "node:fs/promises";
import { argv, stderr } from "node:process";
import path from "node:path";
import { languages, languageSentence, recognitionQualities } from "@reelscript/contract";
import {
  leastRecordings,
  qualityOfErrors,
  type ModelQuality,
  type ReadingErrors,
  recognizerRevision,
} from "@reelscript/whisper";
import { root } from "../scripts/root.ts";

const tableFile = path.join(root, "whisper/models/whisper-base/language-quality.json");
const readmeFile = path.join(root, "README.md");
const begin = "<!-- written by npm run bench -- --only accuracy --write -->";
const end = "<!-- end of what the bench wrote -->";

interface Figures {
  readonly clips: number;
  /** How many of the clips. */
  readonly refused: number;
  /** Speakers of the clips, as far as they are known. */
  readonly speakers: number;
  readonly words: number;
  readonly wordErrors: number;
}
interface Row extends ReadingErrors {
  readonly quality: ModelQuality;
  readonly speakers: number;
}
interface Table {
  readonly model: string;
  readonly measuredOn: string;
  readonly recognizerRevision: number;
  readonly languages: Readonly<Record<string, Row>>;
}

/** Takes the figures of each language. Returns the written table. */
export async function writeLanguageQuality(
  figures: Readonly<Record<string, Figures | undefined>>,
  now: Date,
): Promise<Table> {
  const missing = Object.keys(languages).filter((language) => !figures[language]);
  if (missing.length > 0) throw new Error(`nothing can be written: no recordings of ${missing.join(", ")}`);
  const table: Table = {
    model: "whisper-base",
    measuredOn: now.toISOString().slice(0, 10),
    recognizerRevision: recognizerRevision,
    languages: Object.fromEntries(Object.keys(languages).map((language) => [language, rowOf(figures[language]!)])),
  };
  await writeFile(tableFile, `${JSON.stringify(table, undefined, 2)}\n`);
  await writeFile(readmeFile, withTable(await readFile(readmeFile, "utf8"), table));
  return table;
}

function rowOf({ clips, speakers, refused, words, wordErrors }: Figures): Row {
  const wordErrorPercent = Number(((100 * wordErrors) / words).toFixed(1));
  return {
    quality: qualityOfErrors({ wordErrorPercent, clips, refused, speakers }),
    wordErrorPercent,
    clips,
    speakers,
    refused,
  };
}

/** The README with its table renewed. */
function withTable(readme: string, table: Table): string {
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  if (from < 0 || to < from) throw new Error("the README has lost the marks between which its table of languages is");
  return `${readme.slice(0, from + begin.length)}\n\n${markdownOf(table)}\n\n${readme.slice(to)}`;
}

function markdownOf({ languages: rows, measuredOn, model }: Table): string {
  const lines = Object.entries(recognitionQualities).flatMap(([quality, meaning]) =>
    Object.entries(rows)
      .filter(([, row]) => row.quality === quality)
      .map(([code, { wordErrorPercent, clips, speakers, refused }]) => [
        languages[code as keyof typeof languages],
        quality,
        `${Math.round(wordErrorPercent)} %`,
        String(clips),
        speakers === 0 ? "unknown" : String(speakers),
        String(refused),
        meaning,
      ]),
  );
  const qualities = Object.fromEntries(Object.entries(rows).map(([code, { quality }]) => [code, quality]));
  return `${languageSentence(qualities)}

${aligned([["language", "quality", "wrong words", "recordings", "known speakers", "refused", "what to expect"], ...lines])}

Measured with ${model} on ${dayOf(measuredOn)}, with a hint of the language. Refused recordings count as all wrong; numbers count the same as digits or as words. Fewer than ${leastRecordings} recordings say little: such a language is unmeasured.`;
}

const dayOf = (date: string): string =>
  new Date(date).toLocaleDateString("en-US", { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });

function aligned([titles = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(titles), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

if (argv[1]?.endsWith("language-quality.js")) {
  const readme = await readFile(readmeFile, "utf8");
  const right = withTable(readme, JSON.parse(await readFile(tableFile, "utf8")) as Table);
  if (!argv.includes("--check")) await writeFile(readmeFile, right);
  else if (readme !== right) {
    stderr.write("README.md does not say what language-quality.json says; run node dist/bench/language-quality.js\n");
    process.exitCode = 1;
  }
}
