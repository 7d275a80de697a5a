import { readFile } from "node:fs/promises";
import path from "node:path";
import { languageCodes } from "@reelscript/contract";
import { root } from "../../scripts/root.ts";
import type { Needs, Report } from "../report.ts";
import {
  type Clip,
  decodedSamples,
  manifestClips,
  openOwnRecognizer,
  type OwnRecognizer,
  storedReels,
  type TranslationOutcome,
} from "../speech.ts";
import { chrf, type TextPair } from "./chrf.ts";

const textsFile = path.join(root, "bench/translation/english-texts.tsv");

interface Translated {
  readonly clip: Clip;
  readonly english: string;
  readonly outcome: TranslationOutcome;
}

/**
 * Translates the clips whose English texts are in `english-texts.tsv`, of SPEECH_DIR, the folders of LANGUAGE_CLIPS and the
 * stand-in, and compares both by chrF. The language of each clip is given, as the service gives that of the transcript.
 */
export async function benchTranslation({ report, threads, extent, started }: Needs): Promise<void> {
  const { SPEECH_DIR: speechFolder, LANGUAGE_CLIPS: clipFolders } = process.env;
  report.section(
    "Translation",
    "chrF2 of the embedded model's English and the English in bench/translation/english-texts.tsv; more is better.",
    "Beside it: the clip's own text, and the English of the next clip, which is fluent and wrong.",
  );
  const recognizer = await started(openOwnRecognizer({ threads }));
  const english = await englishTexts();
  const few = <One>(clips: readonly One[]): readonly One[] => (extent === "smallest" ? clips.slice(0, 1) : clips);
  const folders = [...(speechFolder ? [speechFolder] : []), ...(clipFolders?.split(path.delimiter) ?? [])];
  const recordings: Clip[] = [];
  for (const folder of folders) recordings.push(...(await manifestClips(path.resolve(folder))));
  const translatable = (clips: readonly Clip[]): readonly Clip[] => few(clips.filter(({ name }) => english.has(name)));
  if (folders.length === 0) report.note("No recordings of people: set SPEECH_DIR and LANGUAGE_CLIPS.");
  const judging = { recognizer, english, report };
  await judge("Reels of the stand-in, human voices", translatable(await storedReels()), judging);
  const results = await judge("Recordings", translatable(recordings), judging);
  reportUnsure(results, report);
}

async function englishTexts(): Promise<ReadonlyMap<string, string>> {
  const [, ...rows] = (await readFile(textsFile, "utf8")).trim().split("\n");
  return new Map(rows.map((row) => row.split("\t") as [string, string]));
}

async function judge(
  title: string,
  clips: readonly Clip[],
  {
    recognizer,
    english,
    report,
  }: {
    readonly recognizer: OwnRecognizer;
    readonly english: ReadonlyMap<string, string>;
    readonly report: Report;
  },
): Promise<Translated[]> {
  const results: Translated[] = [];
  for (const clip of clips) {
    const outcome = await recognizer.translate(await decodedSamples(clip.path), clip.language);
    results.push({ clip, english: english.get(clip.name)!, outcome });
  }
  report.note(`\n  ${title}: ${clips.length} clips`);
  const rows = languageCodes
    .map((language) => results.filter(({ clip }) => clip.language === language))
    .filter((group) => group.length > 0);
  const columns = ["language", "clips", "chrF", "first half", "second half", "own text", "other English", "refused"];
  report.table(
    columns,
    rows.map((group) => [
      group[0]!.clip.language,
      group.length,
      figureOf(group, textOf),
      figureOf(halfOf(group, 0), textOf),
      figureOf(halfOf(group, 1), textOf),
      figureOf(group, ({ clip }) => clip.text),
      figureOf(group, (_, index) => group[(index + 1) % group.length]!.english),
      group.filter(({ outcome }) => outcome.refusal !== undefined).length,
    ]),
  );
  for (const group of rows) {
    const what = `${title}: chrF of ${group[0]!.clip.language}`;
    report.figures([{ what, value: chrf(pairsOf(group, textOf)), digits: 1 }]);
  }
  return results;
}

const textOf = ({ outcome }: Translated): string => outcome.text;

/** Every second clip, from the first or the second on. */
const halfOf = (group: readonly Translated[], first: 0 | 1): readonly Translated[] =>
  group.filter((_, index) => index % 2 === first);

const pairsOf = (
  group: readonly Translated[],
  written: (translated: Translated, index: number) => string,
): readonly TextPair[] =>
  group.map((translated, index) => ({ hypothesis: written(translated, index), reference: translated.english }));

const figureOf = (group: readonly Translated[], written: (translated: Translated, index: number) => string): string =>
  group.length === 0 ? "–" : chrf(pairsOf(group, written)).toFixed(1);

/** How much worse translations with a marked sentence are, by language. */
function reportUnsure(results: readonly Translated[], report: Report): void {
  const rows = languageCodes.flatMap((language) => {
    const group = results.filter(({ clip, outcome }) => clip.language === language && outcome.refusal === undefined);
    const isMarked = ({ outcome }: Translated): boolean => outcome.unsureSegments > 0;
    const marked = group.filter(isMarked);
    const others = group.filter((one) => !isMarked(one));
    return group.length === 0
      ? []
      : [[language, marked.length, figureOf(marked, textOf), others.length, figureOf(others, textOf)]];
  });
  if (rows.length > 0) report.table(["language", "with a mark", "chrF", "without", "chrF"], rows);
}
