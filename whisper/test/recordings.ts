import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DecodedMedia } from "../src/decoded-media.ts";
import { createMediaDecoder } from "../src/media/create-media-decoder.ts";

export const sampleRate = 16_000;

/** Samples of a WAV file of 16 bits, mono, 16 kHz. */
export function readWav(path: string): Float32Array {
  const file = readFileSync(path);
  let at = 12;
  while (file.toString("latin1", at, at + 4) !== "data") at += 8 + file.readUInt32LE(at + 4);
  const count = Math.min(file.readUInt32LE(at + 4), file.length - at - 8) >> 1;
  return Float32Array.from({ length: count }, (_, index) => file.readInt16LE(at + 8 + 2 * index) / 32_768);
}

/** Where a reel of the platform's stand-in is stored. */
export const reelPath = (name: string): string =>
  fileURLToPath(new URL(`../../platform-standin/reels/${name}.mp4`, import.meta.url));

/** Samples of media files, in their order. */
export async function decoded(...paths: readonly string[]): Promise<Float32Array[]> {
  const decoder = await createMediaDecoder();
  try {
    const recordings: Float32Array[] = [];
    for (const path of paths) {
      const chunks: Float32Array[] = [];
      const { samples } = decoder.decode(path, { maxSeconds: 900, signal: new AbortController().signal });
      for await (const chunk of samples) chunks.push(chunk.slice());
      recordings.push(join(...chunks));
    }
    return recordings;
  } finally {
    await decoder.close();
  }
}

export function join(...parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

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
    info: Promise.resolve({
      container: "wav",
      audioCodec: "pcm_s16le",
      durationSeconds: samples.length / sampleRate,
      width: null,
      height: null,
    }),
    truncated: Promise.resolve(false),
    warnings: Promise.resolve([]),
  };
}
