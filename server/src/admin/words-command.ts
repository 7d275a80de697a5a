import { existsSync } from "node:fs";
import path from "node:path";
import {
  type DownloadProgress,
  type HeardWindowReport,
  type Transcription,
  WhisperError,
  type Word,
} from "@reelscript/whisper";
import { withChosenModels } from "../recognition/recognizer-of.ts";
import type { Config } from "../settings/config.ts";
import { openWhisper } from "../start/open-whisper.ts";
import type { Syntax } from "./syntaxes.ts";
import { AdminError } from "./admin-error.ts";
import { alignedTable } from "./admin-text.ts";

export const wordsSyntax: Syntax<"words"> = {
  words: ["words"],
  command: "words",
  summary:
    "Show what the recognizer makes of a file here: its windows with their verdicts, and each word with its time",
  operand: { name: "file", value: "file", description: "A video or a sound file" },
  flags: [{ name: "language", value: "code", required: false, description: "The language hint" }],
  example: "words reel.mp4",
};

type Heard = Pick<
  Transcription,
  "model" | "language" | "languageProbability" | "words" | "segments" | "gaps" | "silences"
>;

export interface HeardFile {
  readonly windows: readonly HeardWindowReport[];
  /** `null` when it was refused. */
  readonly heard: Heard | null;
  readonly refusal: string | null;
}

export interface WordsAccess {
  readonly config: Config;
  /** Where the path starts that the operator types. */
  readonly workingDirectory: string;
  readonly onDownload: (progress: DownloadProgress) => void;
}

/** Recognizes a file as the service would. Throws `AdminError`. */
export async function hearFile(
  { file = "", language }: Readonly<Record<string, string>>,
  { config, workingDirectory, onDownload }: WordsAccess,
): Promise<HeardFile> {
  const place = path.resolve(workingDirectory, file);
  if (!existsSync(place)) throw new AdminError("refused", `${place} does not exist.`);
  const windows: HeardWindowReport[] = [];
  try {
    const whisper = await openWhisper(await withChosenModels(config), { onDownload });
    try {
      const { signal } = new AbortController();
      const heard = await whisper.transcribe(place, { language, signal, onWindow: (window) => windows.push(window) });
      const { model, language: spoken, languageProbability, words, segments, gaps, silences } = heard;
      const shown = { model, language: spoken, languageProbability, words, segments, gaps, silences };
      return { windows, heard: shown, refusal: null };
    } finally {
      await whisper.close();
    }
  } catch (error) {
    if (!(error instanceof WhisperError)) throw error;
    if (error.code === "notRecognized" || error.code === "unsupportedLanguage")
      return { windows, heard: null, refusal: error.message };
    throw new AdminError("refused", error.message, error);
  }
}

/** The answer of the command for people. */
export function wordsText({ windows, heard, refusal }: HeardFile): string {
  const tables = [
    alignedTable(
      ["WINDOW", "", "NO SPEECH", "CONFIDENCE", "VERDICT"],
      windows.map(({ start, end, noSpeech, confidence, verdict }) => [
        ...timesOf({ start, end }),
        noSpeech.toFixed(2),
        confidence?.toFixed(2) ?? "–",
        verdict,
      ]),
    ),
  ];
  if (heard !== null) {
    const { words, segments, gaps, silences } = heard;
    const notes = [
      ...gaps.map((gap) => ({ ...gap, kind: "gap" })),
      ...silences.map((one) => ({ ...one, kind: "silence" })),
    ];
    const rows: readonly Word[] = [
      ...(words ?? segments).map((one) => ({ ...one, text: one.text.trim() })),
      ...notes.map(({ start, end, kind, reason }) => ({ start, end, text: `(${kind}: ${reason})` })),
    ].toSorted((one, other) => one.start - other.start);
    tables.push(
      alignedTable(
        [words === null ? "SEGMENT" : "WORD", "", "SURE", ""],
        rows.map((row) => [...timesOf(row), row.probability?.toFixed(2) ?? "", row.text]),
      ),
    );
  }
  return [...tables, refusal ?? languageLine(heard!)].join("\n\n");
}

const timesOf = ({ start, end }: { readonly start: number; readonly end: number }): [string, string] => [
  start.toFixed(2),
  end.toFixed(2),
];

const languageLine = ({ model, language, languageProbability: sure }: Heard): string =>
  `Model ${model}, language ${language}${sure === null ? "" : ` (${sure.toFixed(2)})`}`;
