import * as z from "zod";
import { operation } from "../operation.ts";
import { translationMark } from "../values/languages.ts";
import { ServiceError } from "../values/service-error.ts";
import { type ChosenText, Translation } from "./translation.ts";
import { exampleReceipt, exampleScript, Receipt, Script, ScriptId } from "./script.ts";
import { cuesOf } from "../subtitles/cues-of-script.ts";
import { subtitleCues, type SubtitleCue } from "../subtitles/subtitle-cues.ts";
import { readingSpeed, type ReadingSpeed } from "../subtitles/reading-speed.ts";
import { subStationAlpha } from "../subtitles/substation-alpha.ts";
import type { SubtitleRules } from "../subtitles/subtitle-rules.ts";
import { subRip, webVtt } from "../subtitles/subtitles.ts";

const stretch = { start: z.number().min(0), end: z.number().min(0) };

const Segment = z
  .object({
    ...stretch,
    text: z.string(),
    corrected: z.literal(true).optional(),
  })
  .meta({ id: "Segment", description: "A stretch of speech, in seconds." });

const Word = z
  .object({
    text: z.string().meta({ description: "Word with its punctuation and the space before it." }),
    ...stretch,
    probability: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: "Probability of the word according to the recognizer." }),
  })
  .meta({ id: "Word" });

const Gap = z
  .object({
    ...stretch,
    reason: z.enum(["repetition", "wrongScript", "lowConfidence", "noText", "skipped"]).meta({
      description:
        "Reason of the gap: the recognizer repeated itself (`repetition`), wrote another script (`wrongScript`), was unsure (`lowConfidence`), wrote nothing (`noText`) or jumped over the speech (`skipped`).",
    }),
  })
  .meta({ id: "Gap", description: "A stretch of speech that isn't in the transcript." });

export const FullScript = z
  .object({
    ...Script.omit({ snippet: true, at: true, atUrl: true, hits: true }).shape,
    transcript: z.string().meta({ description: "The whole text, verbatim; empty for a reel without speech." }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: "True if the audio was cut off because it is very long." }),
    segments: z.array(Segment).meta({ description: "The transcript in lines with times." }),
    gaps: z.array(Gap).meta({ description: "Stretches where speech is missing." }),
    words: z.array(Word).optional().meta({
      description: "All words, which join to the transcript; only with `words=true`, where they are known.",
    }),
    correctedAt: z.iso.datetime().optional().meta({
      description: "Time of the caller's correction of the transcript; `/transcribe` returns the original.",
    }),
    retranscribable: z.literal(true).optional().meta({
      description: "True if a newer recognizer can transcribe the reel again.",
    }),
    translatable: z.literal(true).optional().meta({
      description: "True if the script can be translated to English and isn't yet.",
    }),
    translation: Translation.optional().meta({ description: "English translation, once somebody asked for it." }),
    file: z
      .object({ id: z.string(), keptUntil: z.iso.datetime() })
      .optional()
      .meta({ description: "Your file, while its bytes are kept; otherwise absent." }),
    receipt: Receipt,
  })
  .meta({ id: "FullScript" });
export type FullScript = z.infer<typeof FullScript>;

export type SubtitleFormat = "srt" | "vtt" | "vtt-words" | "ass";

const writers: Readonly<Record<SubtitleFormat, (cues: readonly SubtitleCue[]) => string>> = {
  srt: subRip,
  vtt: webVtt,
  "vtt-words": (cues) => webVtt(cues, { inlineTimes: true }),
  ass: subStationAlpha,
};

export interface Subtitles {
  readonly text: string;
  /** Omitted if nothing is said. */
  readonly readingSpeed?: ReadingSpeed;
}

/** Which of its two texts a file of a script has. */
export type TextOfFile = z.infer<typeof ChosenText>;

/** A subtitle file of a script with its words. Throws `notFound` for a translation that isn't there. */
export function subtitlesOf(
  script: FullScript,
  format: SubtitleFormat,
  { rules, text = "transcript" }: { readonly rules?: SubtitleRules; readonly text?: TextOfFile | undefined } = {},
): Subtitles {
  const cues = text === "transcript" ? cuesOf(script, rules) : translatedCues(translationOf(script), rules);
  const speed = readingSpeed(cues);
  return { text: writers[format](cues), ...(speed && { readingSpeed: speed }) };
}

const writer =
  (format: SubtitleFormat) =>
  (script: FullScript): string =>
    subtitlesOf(script, format).text;

/** The bare text. Throws `notFound` for a translation that isn't there. */
export function bareTextOf(
  script: Pick<FullScript, "transcript" | "translation">,
  text: TextOfFile | undefined,
): string {
  if (text !== "translation") return script.transcript;
  return `${translationMark}\n\n${translationOf(script).text}`;
}

type WrittenTranslation = Required<Pick<Translation, "text" | "segments" | "gaps">>;

function translationOf({ translation }: Pick<FullScript, "translation">): WrittenTranslation {
  const { text, segments, gaps } = translation ?? {};
  if (text === undefined || segments === undefined || gaps === undefined)
    throw new ServiceError("notFound", "This script has no translation. Translate it first.");
  return { text, segments, gaps };
}

/** The first cue says that a machine wrote them. */
function translatedCues({ segments, gaps }: WrittenTranslation, rules?: SubtitleRules): SubtitleCue[] {
  const [first, ...others] = subtitleCues(segments, gaps, rules);
  return first === undefined ? [] : [{ ...first, lines: [translationMark, ...first.lines] }, ...others];
}

/** Subtitles need word times. */
const timed = { words: true };

export const getScript = operation({
  summary: "Get a script",
  description: "Returns a script with its whole transcript, times and receipt; as a file with `format`.",
  section: "Library",
  access: "key",
  http: {
    method: "GET",
    path: "/scripts/{id}",
    formats: {
      parameter: "format",
      description:
        "`txt` returns the bare transcript; `srt`, `vtt`, `vtt-words` and `ass` return subtitles, as `/scripts/{id}/subtitles` does.",
      forms: {
        txt: { type: "text/plain", write: ({ transcript }: FullScript) => transcript },
        srt: { type: "application/x-subrip", input: timed, write: writer("srt") },
        vtt: { type: "text/vtt", input: timed, write: writer("vtt") },
        "vtt-words": {
          type: "text/vtt",
          ending: "vtt",
          input: timed,
          write: writer("vtt-words"),
        },
        ass: { type: "text/x-ssa", input: timed, write: writer("ass") },
      },
      fileName,
    },
  },
  input: z.object({
    id: ScriptId,
    words: z.boolean().optional().meta({ description: "Adds the time of every word." }),
  }),
  output: FullScript,
  errors: ["notFound"],
  example: { id: exampleScript.id },
  exampleOutput: {
    id: exampleScript.id,
    reelUrl: exampleScript.reelUrl,
    account: exampleScript.account,
    transcript: exampleScript.transcript,
    language: exampleScript.language,
    transcribedAt: exampleScript.transcribedAt,
    segments: [
      { start: 0.2, end: 1.9, text: "You don't need a better grinder." },
      { start: 2.1, end: 4, text: "You need to wait four minutes." },
    ],
    gaps: [],
    receipt: exampleReceipt,
  },
});

/** Account, reel and language, so that players show the language: `cook.daily-DLlGZiCOBQ0.en`. */
function fileName({ account, reelUrl, language }: FullScript): string {
  const reel = reelUrl
    .replace(/[?#].*$/s, "")
    .split("/")
    .filter((part) => part !== "")
    .at(-1);
  const name = [account, reel].filter((part) => part !== undefined && part !== "").join("-");
  const languageSuffix = language === undefined || language === "und" ? "" : `.${safe(language)}`;
  return `${safe(name).slice(0, 120)}${languageSuffix}`;
}

const safe = (text: string): string => text.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^\.+/, "_");
