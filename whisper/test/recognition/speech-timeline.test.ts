import { expect, test } from "vitest";
import { frameSeconds, sampleRate } from "../../src/recognition/signal/audio-format.ts";
import { blockFrames, type VoiceDetector } from "../../src/recognition/signal/voice-detector.ts";
import { SpeechTimeline } from "../../src/recognition/speech-timeline.ts";
import { SpeechWindow } from "../../src/recognition/speech-window.ts";

const blockSeconds = blockFrames * frameSeconds;
const seconds = (count: number) => new Float32Array(Math.round(count * sampleRate)).fill(0.5);

/** Hears speech in these stretches, and notes up to which second it was asked. */
function timelineOf(...speech: readonly (readonly [number, number])[]) {
  const askedSeconds: number[] = [];
  const detector = {
    probabilities: async (_audio: unknown, first: number, end: number) => {
      askedSeconds.push(end * frameSeconds);
      return Float32Array.from({ length: end - first }, (_, index) => {
        const at = (first + index) * frameSeconds;
        return speech.some(([from, to]) => at >= from && at < to) ? 1 : 0;
      });
    },
  };
  return { timeline: new SpeechTimeline(detector as unknown as VoiceDetector), askedSeconds };
}
const { signal } = new AbortController();

test("a window is given as soon as its end is known, before the recording ends", async () => {
  const { timeline, askedSeconds } = timelineOf([1, 5], [8, 40]);
  timeline.append(seconds(blockSeconds * 2));
  const early = timeline.nextWindow(0, 5, signal);
  await expect.poll(() => askedSeconds).toEqual([blockSeconds]);
  const window = await early;
  expect(askedSeconds, "the second block was not needed").toEqual([blockSeconds]);
  expect(window?.start).toBeCloseTo(0.8, 1);
  expect(timeline.spans).toHaveLength(2);
});

test("a window whose end is near the last known second waits for one more block", async () => {
  const { timeline, askedSeconds } = timelineOf([1, 5], [blockSeconds - 2, 40]);
  timeline.append(seconds(blockSeconds * 3));
  expect((await timeline.nextWindow(0, 5, signal))?.end).toBeLessThan(blockSeconds);
  expect(askedSeconds).toEqual([blockSeconds, 2 * blockSeconds]);
});

test("a window that may grow waits for more samples, and the last one for the end", async () => {
  const { timeline, askedSeconds } = timelineOf([1, 5]);
  timeline.append(seconds(blockSeconds));
  let window: SpeechWindow | undefined;
  const waiting = timeline.nextWindow(0, 20, signal).then((next) => (window = next));
  timeline.append(seconds(blockSeconds));
  await expect.poll(() => askedSeconds).toEqual([blockSeconds]);
  expect(window).toBeUndefined();
  timeline.append(seconds(1));
  timeline.finish();
  await waiting;
  expect(window?.end).toBeCloseTo(5.2, 1);
  expect(timeline.seconds).toBeCloseTo(2 * blockSeconds + 1);
  expect(askedSeconds.at(-1)).toBeCloseTo(timeline.seconds, 1);
  expect(await timeline.nextWindow(window!.end, 20, signal), "no speech is left").toBeUndefined();
});

test("waiting for samples ends with the signal's reason", async () => {
  const { timeline } = timelineOf([1, 5]);
  const leaving = new AbortController();
  const waiting = timeline.nextWindow(0, 20, leaving.signal);
  const reason = new Error("gone");
  leaving.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(timeline.nextWindow(0, 20, leaving.signal)).rejects.toBe(reason);
  timeline.finish();
  expect(await timeline.nextWindow(0, 20, signal)).toBeUndefined();
});

test("the samples of a window are those of its pieces, each at its second, after silence", () => {
  const { timeline } = timelineOf();
  const rising = Float32Array.from({ length: 10 * sampleRate }, (_, n) => 0.2 + n / sampleRate / 100);
  timeline.append(rising);
  timeline.finish();
  const window = new SpeechWindow(
    [
      { start: 1, end: 2 },
      { start: 6, end: 7.5 },
    ],
    0.5,
  );
  const samples = timeline.samples(window);
  expect(samples).toHaveLength(Math.round(window.length * sampleRate));
  const at = (second: number) => samples[Math.round(second * sampleRate)];
  expect([at(0), at(0.49)]).toEqual([0, 0]);
  const [first, second] = window.pieces;
  for (const { at: position, start, end } of [first!, second!])
    for (const into of [0.01, end - start - 0.01])
      expect(at(position + into)).toBeCloseTo(0.2 + (start + into) / 100, 4);
});
