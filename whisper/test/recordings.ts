import { readFileSync } from "node:fs";
import type { DecodedMedia } from "../src/decoded-media.ts";

export const SAMPLE_RATE = 16_000;

/** Samples of a WAV file of 16 bits, mono, 16 kHz. */
export function readWav(path: string): Float32Array {
  const file = readFileSync(path);
  let at = 12;
  while (file.toString("latin1", at, at + 4) !== "data") at += 8 + file.readUInt32LE(at + 4);
  const count = Math.min(file.readUInt32LE(at + 4), file.length - at - 8) >> 1;
  return Float32Array.from({ length: count }, (_, index) => file.readInt16LE(at + 8 + 2 * index) / 32_768);
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
  return new Float32Array(seconds * SAMPLE_RATE);
}

/** Samples as a decoder hands them over; `before` is awaited before each chunk. */
export function mediaOf(
  samples: Float32Array,
  { chunk = 8000, before = async () => {} }: { chunk?: number; before?: (at: number) => Promise<void> } = {},
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
      durationSeconds: samples.length / SAMPLE_RATE,
      width: null,
      height: null,
    }),
    truncated: Promise.resolve(false),
    warnings: Promise.resolve([]),
  };
}
