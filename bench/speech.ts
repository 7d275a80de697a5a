import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  embeddedModelDirectory,
  type Gap,
  type Recognition,
  type RecognizeOptions,
  WhisperError,
} from "@reelscript/whisper";
import { root } from "../scripts/root.ts";

const reelsFolder = path.join(root, "platform-standin/reels");
/** Rate of all samples, in hertz. */
export const sampleRate = 16_000;

export interface Clip {
  readonly name: string;
  readonly path: string;
  readonly kind: string;
  readonly language: string;
  readonly text: string;
  /** Absent where nobody knows. */
  readonly speaker?: string;
}
export interface StoredReel extends Clip {
  readonly seconds: number;
  readonly hasAudio: boolean;
}

/** The stored reels of the stand-in. */
export async function storedReels(): Promise<StoredReel[]> {
  const rows = JSON.parse(await readFile(path.join(reelsFolder, "reels.json"), "utf8")) as StoredReel[];
  return rows.map((row) => ({ ...row, path: path.join(reelsFolder, `${row.name}.mp4`) }));
}

/** The English speech nearest to a length in seconds. */
export async function englishReelOf(seconds: number): Promise<StoredReel> {
  const reels = (await storedReels()).filter(({ kind, language }) => kind === "speech" && language === "en");
  return reels.reduce((best, reel) =>
    Math.abs(reel.seconds - seconds) < Math.abs(best.seconds - seconds) ? reel : best,
  );
}

/**
 * Recordings of a folder with a `MANIFEST.tsv`, whose first line names the columns: file, language, text (or reference_text)
 * and, if known, speaker. Those without a text or a file are left out.
 */
export async function manifestClips(folder: string): Promise<Clip[]> {
  const [names = [], ...rows] = (await readFile(path.join(folder, "MANIFEST.tsv"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const column = (...titles: string[]) => names.findIndex((name) => titles.includes(name));
  const file = column("file");
  const language = column("language");
  const text = column("text", "reference_text");
  const speaker = column("speaker");
  const present = new Set(await readdir(folder));
  return rows
    .map((row) => ({
      name: row[file]!,
      path: path.join(folder, row[file]!),
      language: row[language]!,
      text: row[text] ?? "",
      kind: "speech",
      ...(speaker !== -1 && row[speaker]
        ? { speaker: `${path.basename(folder)}/${row[language]!}/${row[speaker]}` }
        : {}),
    }))
    .filter((clip) => present.has(clip.name) && clip.text !== "" && !clip.text.startsWith("("));
}

/** All samples of a media file: 16 kHz, mono. */
export async function decodedSamples(file: string): Promise<Float32Array> {
  const decoder = await createMediaDecoder({ searchPath: process.env.PATH });
  try {
    const chunks: Float32Array[] = [];
    const { samples } = decoder.decode(file, { maxSeconds: 900, signal: new AbortController().signal });
    for await (const chunk of samples) chunks.push(chunk.slice());
    return joined(...chunks);
  } finally {
    await decoder.close();
  }
}

export function joined(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Samples, and their text. */
export interface Recording {
  readonly samples: Float32Array;
  readonly text: string;
}

const pauseSeconds = 0.4;

/**
 * Recordings of `shortestSeconds` or more: the clips of a language in a row with pauses of 0.4 s, repeated if there are too
 * few.
 */
export async function longRecordings(clips: readonly Clip[], shortestSeconds: number): Promise<Recording[]> {
  const decoded: Recording[] = [];
  for (const { path: file, text } of clips) decoded.push({ samples: await decodedSamples(file), text });
  const recordings: Recording[] = [];
  for (let next = 0; next < decoded.length;) {
    let { samples, text } = decoded[next]!;
    for (next += 1; secondsOf(samples) < shortestSeconds; next += 1) {
      const clip = decoded[next % decoded.length]!;
      samples = joined(samples, new Float32Array(pauseSeconds * sampleRate), clip.samples);
      text = `${text} ${clip.text}`;
    }
    recordings.push({ samples, text });
  }
  return recordings;
}

export const secondsOf = (samples: Float32Array): number => samples.length / sampleRate;

/** `refusal` says why the recognizer can't transcribe the speech; `text` is empty then. */
export interface RecognitionOutcome {
  readonly text: string;
  readonly language: string;
  readonly gaps: readonly Gap[];
  readonly refusal?: string;
}
/** `refusal` as in `RecognitionOutcome`. */
export interface TranslationOutcome {
  readonly text: string;
  /** How many of its sentences the model was unsure of. */
  readonly unsureSegments: number;
  readonly refusal?: string;
}
export interface OwnRecognizer {
  /** `language`: a hint. */
  hear(samples: Float32Array, language?: string): Promise<RecognitionOutcome>;
  /** The English translation of what is said in `language`. */
  translate(samples: Float32Array, language: string): Promise<TranslationOutcome>;
  stop(): Promise<void>;
}

/** The recognizer of the service without the service. */
export async function openOwnRecognizer({ threads }: { readonly threads: number }): Promise<OwnRecognizer> {
  const recognizer = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads });
  await recognizer.ready();
  const recognize = (
    samples: Float32Array,
    options: Pick<RecognizeOptions, "language" | "task">,
  ): Promise<Recognition> =>
    recognizer.recognize(
      { samples: inOnePiece(samples), durationSeconds: Promise.resolve(null), truncated: Promise.resolve(false) },
      { signal: new AbortController().signal, ...options },
    );
  return {
    async hear(samples, language) {
      const recognition = await unlessRefused(recognize(samples, { language }));
      if ("refusal" in recognition) return { text: "", gaps: [], ...recognition };
      return { text: recognition.text, language: recognition.language, gaps: recognition.gaps };
    },
    async translate(samples, language) {
      const recognition = await unlessRefused(recognize(samples, { language, task: "translate" }));
      if ("refusal" in recognition) return { text: "", unsureSegments: 0, refusal: recognition.refusal };
      return { text: recognition.text, unsureSegments: recognition.segments.filter(({ isUnsure }) => isUnsure).length };
    },
    stop: () => recognizer.close(),
  };
}

async function* inOnePiece(samples: Float32Array): AsyncGenerator<Float32Array> {
  yield samples;
}

/** Other failures are thrown. */
async function unlessRefused(
  promise: Promise<Recognition>,
): Promise<Recognition | { readonly language: string; readonly refusal: string }> {
  try {
    return await promise;
  } catch (error) {
    const refusals = ["notRecognized", "notReliable", "unsupportedLanguage"];
    if (!(error instanceof WhisperError) || !refusals.includes(error.code)) throw error;
    return { language: error.language ?? "und", refusal: error.code };
  }
}
