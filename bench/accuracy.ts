import path from "node:path";
import { type Language, languageCodes } from "@reelscript/contract";
import { sumOfErrors as summed, type TextErrors, textErrorsOf } from "@reelscript/whisper";
import { writeLanguageQuality } from "./language-quality.ts";
import { type Needs, type Report, formatFigure } from "./report.ts";
import {
  type Clip,
  decodedSamples,
  type RecognitionOutcome,
  longRecordings,
  manifestClips,
  openOwnRecognizer,
  type OwnRecognizer,
  secondsOf,
  storedReels,
} from "./speech.ts";
import { spelledNumbers } from "./spelled-numbers.ts";

interface HeardClip {
  readonly clip: Clip;
  readonly outcome: RecognitionOutcome;
}

/** Numbers in digits and in words count as equal. */
const errorsOf = (language: string, reference: string, hypothesis: string): TextErrors =>
  textErrorsOf(spelledNumbers(reference, language as Language), spelledNumbers(hypothesis, language as Language));

const wellRead = ["en", "es", "pt", "fr", "de", "it"];

/**
 * Recognizes the stand-in's reels, SPEECH_DIR and the folders of LANGUAGE_CLIPS, and long recordings made of the first two, by
 * language, with the errors in words and characters. `write` keeps the figures of the folders as the table of language quality.
 */
export async function benchAccuracy({ report, threads, extent, write, started }: Needs): Promise<void> {
  const { SPEECH_DIR: speechFolder, LANGUAGE_CLIPS: clipFolders } = process.env;
  report.section(
    "Accuracy",
    "Errors per word and per character of the reference, summed over the clips of a language; case and punctuation do not count.",
    "The speech of hi, ta, te, ar, id (and de, pt) in the reels is synthesized: it says that the way works, not how good the model is.",
  );
  if (write && !(speechFolder && clipFolders))
    throw new Error("--write needs recordings of people: set SPEECH_DIR and LANGUAGE_CLIPS");
  const recognizer = await started(openOwnRecognizer({ threads }));
  const heardOf = <One extends Clip>(clips: readonly One[]): readonly One[] =>
    extent === "smallest" ? clips.slice(0, 1) : clips;
  const reels = heardOf((await storedReels()).filter(({ text }) => text !== ""));
  const recordings = heardOf(speechFolder ? await manifestClips(path.resolve(speechFolder)) : []);
  await benchClips("Reels of the stand-in", reels, { recognizer, report, isHinted: false });
  const hinted = { recognizer, report, isHinted: true };
  const results = await benchClips("Recordings of SPEECH_DIR, with the hint", recordings, hinted);
  if (!speechFolder) report.note("No recordings of people: set SPEECH_DIR to a folder with a MANIFEST.tsv.");
  for (const folder of clipFolders?.split(path.delimiter) ?? []) {
    const clips = heardOf(await manifestClips(path.resolve(folder)));
    results.push(...(await benchClips(`Recordings of ${path.basename(folder)}, with the hint`, clips, hinted)));
  }
  if (!clipFolders) report.note("No recordings by many speakers: set LANGUAGE_CLIPS to folders with a MANIFEST.tsv.");
  if (write) await keep(results, report);
  const clips = [...recordings, ...reels.filter(({ kind }) => kind !== "oneSecond")];
  await benchLongRecordings(heardOf(clips), { recognizer, report, shortestSeconds: extent === "smallest" ? 5 : 40 });
}

interface Hearing {
  readonly recognizer: OwnRecognizer;
  readonly report: Report;
}

async function benchClips(
  title: string,
  clips: readonly Clip[],
  { recognizer, report, isHinted }: Hearing & { readonly isHinted: boolean },
): Promise<HeardClip[]> {
  const results: HeardClip[] = [];
  for (const clip of clips) {
    const samples = await decodedSamples(clip.path);
    results.push({ clip, outcome: await recognizer.hear(samples, isHinted ? clip.language : undefined) });
  }
  report.note(`\n  ${title}: ${clips.length} clips`);
  const rows = languageCodes
    .map((language) => [language, results.filter(({ clip }) => clip.language === language)] as const)
    .filter(([, group]) => group.length > 0);
  report.table(
    ["language", "clips", "word error", "character error", "detected as", "outcome"],
    rows.map(([language, group]) => {
      const errors = summed(group.map(({ clip, outcome }) => errorsOf(clip.language, clip.text, outcome.text)));
      return [
        language,
        group.length,
        formatFigure(errors.wordErrors / errors.words, "%"),
        formatFigure(errors.letterErrors / errors.letters, "%"),
        countsOf(group.map(({ outcome }) => outcome.language)),
        outcomesOf(group.map(({ outcome }) => outcome)),
      ];
    }),
  );
  const wrong = results.filter(
    ({ clip: { language }, outcome }) => outcome.language !== language && wellRead.includes(language),
  );
  report.note(`en, es, pt, fr, de, it: ${wrong.length} clips taken for another language or refused.`);
  return results;
}

/** Measures the loss at the borders of windows. */
async function benchLongRecordings(
  clips: readonly Clip[],
  { recognizer, report, shortestSeconds }: Hearing & { readonly shortestSeconds: number },
): Promise<void> {
  const rows = [];
  for (const language of languageCodes) {
    const recordings = await longRecordings(
      clips.filter((clip) => clip.language === language),
      shortestSeconds,
    );
    if (recordings.length === 0) continue;
    const outcomes: RecognitionOutcome[] = [];
    for (const { samples } of recordings) outcomes.push(await recognizer.hear(samples));
    const errors = recordings.map(({ text }, index) => errorsOf(language, text, outcomes[index]!.text));
    rows.push({ language, recordings, outcomes, errors: summed(errors) });
  }
  report.note("\n  Long recordings: the clips of a language in a row, with pauses of 0.4 s");
  report.table(
    ["language", "recordings", "seconds", "word error", "longest run of missing words", "in gaps", "outcome"],
    rows.map(({ language, recordings, outcomes, errors }) => [
      language,
      recordings.length,
      recordings.map(({ samples }) => Math.round(secondsOf(samples))).join(", "),
      formatFigure(errors.wordErrors / errors.words, "%"),
      errors.longestMissing,
      formatFigure(
        outcomes.flatMap(({ gaps }) => gaps).reduce((sum, gap) => sum + gap.end - gap.start, 0),
        "s",
      ),
      outcomesOf(outcomes),
    ]),
  );
  const good = rows.filter(({ language }) => wellRead.includes(language));
  const longest = Math.max(...good.map(({ errors }) => errors.longestMissing));
  const what = "Long recordings: most words missing in a row in en es pt fr de it";
  report.figures([{ what, value: longest, atMost: 5 }]);
}

async function keep(results: readonly HeardClip[], report: Report): Promise<void> {
  const figures = Object.fromEntries(
    languageCodes.map((language) => {
      const group = results.filter(({ clip }) => clip.language === language);
      const errors = summed(group.map(({ clip, outcome }) => errorsOf(clip.language, clip.text, outcome.text)));
      const refused = group.filter(({ outcome }) => outcome.refusal !== undefined || outcome.text === "").length;
      const speakers = new Set(group.flatMap(({ clip: { speaker } }) => speaker ?? [])).size;
      return [language, group.length > 0 ? { ...errors, clips: group.length, speakers, refused } : undefined];
    }),
  );
  const table = await writeLanguageQuality(figures, new Date());
  report.note(`Written: whisper/models/whisper-base/language-quality.json (${table.measuredOn}) and README.md.`);
}

const outcomesOf = (outcomes: readonly RecognitionOutcome[]): string =>
  countsOf(outcomes.map(({ refusal, text }) => refusal ?? (text === "" ? "empty" : "text")));

/** "en", or "en 3, cy 1" when they differ. */
function countsOf(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, one], [, two]) => two - one);
  return sorted.length === 1 ? values[0]! : sorted.map(([value, count]) => `${value} ${count}`).join(", ");
}
