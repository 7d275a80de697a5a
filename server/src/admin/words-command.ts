import { existsSync } from "node:fs";
import path from "node:path";
import { type HeardWindowReport, type Transcription, WhisperError, type Word } from "@reelscript/whisper";
import * as z from "zod";
import { withChosenModels } from "../recognition/recognizer-of.ts";
import { openWhisper } from "../start/open-whisper.ts";
import { AdminError } from "./admin-error.ts";
import { alignedTable, field, localCommand } from "./command.ts";

type RecognizedSpeech = Pick<
  Transcription,
  "model" | "language" | "languageProbability" | "words" | "segments" | "gaps" | "silences"
>;

interface HeardFile {
  readonly windows: readonly HeardWindowReport[];
  /** `null` when it was refused. */
  readonly heard: RecognizedSpeech | null;
  readonly refusal: string | null;
}

export const words = localCommand({
  words: "words",
  summary:
    "Show how this machine's recognizer reads a file: its windows with their verdicts, and each word with its time",
  fields: {
    file: field("file", "A video or a sound file", z.string()),
    language: field("code", "The language hint", z.string().optional()),
  },
  operand: "file",
  example: "words reel.mp4",
  async run({ file, language }, { config, workingDirectory, onDownload }): Promise<HeardFile> {
    const filePath = path.resolve(workingDirectory, file);
    if (!existsSync(filePath)) throw new AdminError("refused", `${filePath} does not exist.`);
    const windows: HeardWindowReport[] = [];
    const whisper = await openWhisper(await withChosenModels(config), { onDownload });
    try {
      const { signal } = new AbortController();
      const transcription = await whisper.transcribe(filePath, {
        language,
        signal,
        onWindow: (window) => windows.push(window),
      });
      const { model, language: spoken, languageProbability, words: all, segments, gaps, silences } = transcription;
      const speech = { model, language: spoken, languageProbability, words: all, segments, gaps, silences };
      return { windows, heard: speech, refusal: null };
    } catch (error) {
      if (error instanceof WhisperError && ["notRecognized", "notReliable", "unsupportedLanguage"].includes(error.code))
        return { windows, heard: null, refusal: error.message };
      throw error;
    } finally {
      await whisper.close();
    }
  },
  text: wordsText,
  hasFailed: ({ refusal }) => refusal !== null,
});

function wordsText({ windows, heard: speech, refusal }: HeardFile): string {
  const tables = [
    alignedTable(
      ["WINDOW", "", "NO SPEECH", "CONFIDENCE", "VERDICT"],
      windows.map(({ start, end, noSpeech, confidence, verdict }) => [
        ...timesOf({ start, end }),
        noSpeech?.toFixed(2) ?? "–",
        confidence?.toFixed(2) ?? "–",
        verdict,
      ]),
    ),
  ];
  if (speech !== null) {
    const { words: all, segments, gaps, silences } = speech;
    const notes = [
      ...gaps.map((gap) => ({ ...gap, kind: "gap" })),
      ...silences.map((one) => ({ ...one, kind: "silence" })),
    ];
    const rows: readonly Word[] = [
      ...(all ?? segments).map((one) => ({ ...one, text: one.text.trim() })),
      ...notes.map(({ start, end, kind, reason }) => ({ start, end, text: `(${kind}: ${reason})` })),
    ].toSorted((one, other) => one.start - other.start);
    tables.push(
      alignedTable(
        [all === null ? "SEGMENT" : "WORD", "", "SURE", ""],
        rows.map((row) => [...timesOf(row), row.probability?.toFixed(2) ?? "", row.text]),
      ),
    );
  }
  return [...tables, refusal ?? languageLine(speech!)].join("\n\n");
}

const timesOf = ({ start, end }: { readonly start: number; readonly end: number }): [string, string] => [
  start.toFixed(2),
  end.toFixed(2),
];

const languageLine = ({ model, language, languageProbability: sure }: RecognizedSpeech): string =>
  `Model ${model}, language ${language}${sure === null ? "" : ` (${sure.toFixed(2)})`}`;
