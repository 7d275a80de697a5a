import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { logMel } from "../../src/recognition/signal/log-mel.ts";

const sampleRate = 16_000;

function chirp(): Float32Array {
  return Float32Array.from({ length: 30 * sampleRate }, (_, n) => {
    const t = n / sampleRate;
    const sweep = t < 20 ? 0.5 * Math.sin(2 * Math.PI * (100 * t + 65 * t * t)) : 0;
    return sweep + 0.1 * Math.sin(2 * Math.PI * 440 * t);
  });
}

function largestDifference(one: Float32Array, other: Float32Array): number {
  return one.reduce((largest, value, index) => Math.max(largest, Math.abs(value - (other[index] ?? Infinity))), 0);
}

test("a chirp of 30 s has the reference implementation's log-mel spectrogram", () => {
  const file = readFileSync(new URL("../golden/mel-chirp.f32", import.meta.url));
  const golden = new Float32Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
  const spectrogram = logMel(chirp(), 80, 3000);
  expect(spectrogram).toHaveLength(golden.length);
  expect(largestDifference(spectrogram, golden)).toBeLessThan(1e-4);
});

test("samples that do not fill the window count as followed by silence", () => {
  const short = chirp().subarray(0, 4 * sampleRate + 77);
  const padded = new Float32Array(30 * sampleRate);
  padded.set(short);
  expect(largestDifference(logMel(short, 128, 3000), logMel(padded, 128, 3000))).toBeLessThan(1e-6);
});

test("silence is flat", () => {
  expect(new Set(logMel(new Float32Array(1000), 80, 3000))).toEqual(new Set([-1.5]));
});
