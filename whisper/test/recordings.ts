import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { DecodedMedia } from "../src/decoded-media.ts";
import { createMediaDecoder } from "../src/media/create-media-decoder.ts";
import { wavFile } from "../src/openai/audio-pieces.ts";
import { decodeAll } from "./media/decoding.ts";

export const sampleRate = 16_000;

/** A folder of recorded speech with `MANIFEST.tsv`, by SPEECH_DIR; tests that need it skip without one. */
export const speechFolder = process.env["SPEECH_DIR"] ?? "";
export const hasSpeech = speechFolder !== "" && existsSync(path.join(speechFolder, "MANIFEST.tsv"));
export const skippedWithoutSpeech = hasSpeech ? "" : " (skipped: SPEECH_DIR names no folder of speech)";

/** Spoken text of each recording in the folder, by file name. */
export function spokenTexts(): ReadonlyMap<string, string> {
  const rows = hasSpeech ? readFileSync(path.join(speechFolder, "MANIFEST.tsv"), "utf8").trim().split("\n") : [];
  return new Map(rows.map((row) => row.split("\t")).map(([file = "", , text = ""]) => [file, text]));
}

/** Options of a caller who never gives up. */
export const live = () => ({ signal: new AbortController().signal });

/** Samples of a WAV file of 16 bits, mono, 16 kHz. */
export function readWav(wav: string): Float32Array {
  const file = readFileSync(wav);
  let at = 12;
  while (file.toString("latin1", at, at + 4) !== "data") at += 8 + file.readUInt32LE(at + 4);
  const count = Math.min(file.readUInt32LE(at + 4), file.length - at - 8) >> 1;
  return Float32Array.from({ length: count }, (_, index) => file.readInt16LE(at + 8 + 2 * index) / 32_768);
}

/** Path of a stored reel of the platform's stand-in. */
export const reelPath = (name: string): string =>
  fileURLToPath(new URL(`../../platform-standin/reels/${name}.mp4`, import.meta.url));

/** The first seconds of a stored reel, as a WAV file. */
export async function beginningOf(name: string, seconds: number): Promise<Uint8Array> {
  const [samples = silence(0)] = await decoded(reelPath(name));
  return wavFile(samples.subarray(0, seconds * sampleRate));
}

/** Samples of media files, in their order. */
export async function decoded(...paths: readonly string[]): Promise<Float32Array[]> {
  const decoder = await createMediaDecoder();
  try {
    const recordings: Float32Array[] = [];
    for (const file of paths) recordings.push((await decodeAll(decoder, file, 900)).samples);
    return recordings;
  } finally {
    await decoder.close();
  }
}

export { join } from "./media/decoding.ts";

export function silence(seconds: number): Float32Array {
  return new Float32Array(seconds * sampleRate);
}

/** Samples as a decoder hands them over; `before` is awaited before each chunk. */
export function mediaOf(
  samples: Float32Array,
  { chunk = 8000, before = async () => undefined }: { chunk?: number; before?: (at: number) => Promise<void> } = {},
): DecodedMedia {
  async function* chunks() {
    for (let at = 0; at < samples.length; at += chunk) {
      await before(at);
      yield samples.slice(at, at + chunk);
    }
  }
  return {
    samples: chunks(),
    durationSeconds: Promise.resolve(samples.length / sampleRate),
    truncated: Promise.resolve(false),
  };
}
