import fc from "fast-check";
import { expect, test } from "vitest";
import { Leveler } from "../../src/recognition/signal/leveler.ts";

function leveled(chunks: readonly Float32Array[]): Float32Array {
  const leveler = new Leveler();
  for (const chunk of chunks) leveler.append(chunk);
  leveler.finish();
  return leveler.read(0, leveler.length);
}

const tone = (seconds: number, loudness: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, n) => loudness * Math.sin(n / 7));

const bytes = (samples: Float32Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

function loudness(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

test("quiet sound far from loud sound becomes loud, loud sound stays as it is", () => {
  const samples = leveled([tone(5, 0.5), tone(5, 0.005)]);
  expect(loudness(samples.subarray(0, 16_000))).toBeCloseTo(loudness(tone(1, 0.5)));
  expect(loudness(samples.subarray(8 * 16_000, 9 * 16_000))).toBeCloseTo(0.1);
});

test("the result does not depend on how the samples come in", () => {
  const whole = Float32Array.from({ length: 70_000 }, (_, n) => Math.sin(n / 9) * ((n % 20_000) / 40_000));
  const expected = leveled([whole]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 12 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
      const chunks = edges.slice(1).map((edge, index) => whole.subarray(edges[index], edge));
      expect(Buffer.compare(bytes(leveled(chunks)), bytes(expected))).toBe(0);
    }),
    { numRuns: 20 },
  );
});

test("what is no sample becomes one", () => {
  const samples = leveled([Float32Array.of(NaN, Infinity, -Infinity, 5, 0.5)]);
  expect(samples.every((sample) => Number.isFinite(sample))).toBe(true);
  const leveler = new Leveler();
  leveler.append(Float32Array.of(NaN, Infinity, -Infinity, 5, ...tone(1, 1)));
  leveler.finish();
  expect([...leveler.read(0, 4)]).toEqual([0, 1, -1, 1]);
});

test("loud sound is heard 1.5 s away and no farther, and nothing is raised more than a hundredfold", () => {
  const samples = leveled([tone(5, 0.0001), tone(1, 0.5), tone(5, 0.0001)]);
  const at = (second: number) => loudness(samples.subarray(second * 16_000, (second + 0.2) * 16_000));
  const quiet = loudness(tone(1, 0.0001));
  const raised = 100 * loudness(tone(1, 0.0001));
  expect([at(3.2), at(7.7)].map((one) => one / raised)).toEqual([expect.closeTo(1), expect.closeTo(1)]);
  expect([at(3.6), at(7.2)].map((one) => one / quiet)).toEqual([expect.closeTo(1), expect.closeTo(1)]);
});

test("before the end, samples can be had up to 1.5 s before the last; around the recording there is silence", () => {
  const leveler = new Leveler();
  leveler.append(tone(70, 0.5));
  const lag = leveler.length - leveler.leveledLength;
  expect(lag).toBeGreaterThanOrEqual(1.5 * 16_000 - 512);
  expect(lag).toBeLessThan(1.5 * 16_000 + 512);
  expect(leveler.complete).toBe(false);
  leveler.finish();
  expect([leveler.complete, leveler.leveledLength]).toEqual([true, 70 * 16_000]);
  expect([...leveler.read(-3, 3)]).toEqual([0, 0, 0, ...tone(70, 0.5).subarray(0, 3)]);
  expect([...leveler.read(leveler.length - 2, leveler.length + 2)]).toEqual([...tone(70, 0.5).subarray(-2), 0, 0]);
  expect(leveler.read(5, 2)).toHaveLength(0);
});
