import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Span, speechSpans } from "../../src/recognition/signal/speech-spans.ts";
import { encoderSeconds, nextWindow, speechBetween, SpeechWindow } from "../../src/recognition/speech-window.ts";

function planAll(spans: readonly Span[], longest: number): SpeechWindow[] {
  const windows: SpeechWindow[] = [];
  for (let from = 0; ;) {
    const next = nextWindow(spans, from, longest);
    if (!next) return windows;
    windows.push(next.window);
    from = next.window.end;
  }
}

const voice = fc
  .array(fc.record({ frames: fc.integer({ min: 1, max: 700 }), speaks: fc.boolean() }), { maxLength: 20 })
  .map((runs) => runs.flatMap(({ frames, speaks }) => Array.from({ length: frames }, () => (speaks ? 0.9 : 0.1))));

describe("spans of speech", () => {
  test("are in order, inside the recording, without overlap", () => {
    fc.assert(
      fc.property(voice, (probabilities) => {
        const seconds = probabilities.length * 0.032;
        let last = 0;
        for (const { start, end } of speechSpans(probabilities, seconds)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(seconds);
      }),
    );
  });

  test("begin and end 0.2 s around the voice; a click of 0.1 s is none", () => {
    const probabilities = [
      ...Array(50).fill(0),
      ...Array(50).fill(0.9),
      ...Array(50).fill(0),
      0.9,
      0.9,
      0.9,
      ...Array(50).fill(0),
    ];
    const spans = speechSpans(probabilities, probabilities.length * 0.032);
    expect(spans).toHaveLength(1);
    expect(spans[0]?.start).toBeCloseTo(1.4);
    expect(spans[0]?.end).toBeCloseTo(3.4);
  });
});

describe.each([encoderSeconds, 11])("windows of %i s", (longest) => {
  test("hold all speech but crumbs, once, and fit into the encoder", () => {
    fc.assert(
      fc.property(voice, (probabilities) => {
        const spans = speechSpans(probabilities, probabilities.length * 0.032);
        const windows = planAll(spans, longest);
        let last = 0;
        for (const { start, end, length } of windows) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(length).toBeLessThanOrEqual(Math.min(encoderSeconds, longest + 1) + 1e-9);
          last = end;
        }
        const all = speechBetween(spans, 0, Infinity);
        const held = windows.reduce((sum, { start, end }) => sum + speechBetween(spans, start, end), 0);
        expect(all - held).toBeLessThanOrEqual(0.25 * windows.length + 1e-9);
      }),
    );
  });

  test("are as few as possible: two neighbors never fit into one", () => {
    fc.assert(
      fc.property(voice, (probabilities) => {
        const spans = speechSpans(probabilities, probabilities.length * 0.032);
        const windows = planAll(spans, longest);
        const speechIn = ({ start, end }: Span) =>
          spans.flatMap((span) => {
            const from = Math.max(span.start, start);
            const to = Math.min(span.end, end);
            return to > from ? [{ start: from, end: to }] : [];
          });
        const pairs = windows
          .slice(1)
          .map(
            (window, index) => new SpeechWindow([...speechIn(windows[index] ?? window), ...speechIn(window)]).length,
          );
        expect(Math.min(Infinity, ...pairs)).toBeGreaterThan(longest - 1e-9);
      }),
    );
  });
});

test("a window is full where the next span, as far as it is known, no longer fits with its padding", () => {
  const next = nextWindow(
    [
      { start: 0, end: 6 },
      { start: 7, end: 20 },
    ],
    0,
    11,
  );
  expect(next?.window.end).toBe(6);
  expect(next?.fullAt).toBeCloseTo(7 + (11 - 6 - 0.3) + 0.2);
});

describe("a window with long pauses", () => {
  const window = new SpeechWindow([
    { start: 10, end: 12 },
    { start: 12.2, end: 15 },
    { start: 75, end: 80 },
  ]);

  test("is heard with the pauses shortened to 0.3 s", () => {
    expect(window.length).toBeCloseTo(5 + 0.3 + 5);
    expect(window.pieces).toHaveLength(2);
  });

  test("finds each moment of the recording again", () => {
    for (const seconds of [10, 11.5, 13, 75, 79.9]) {
      const heardAt = seconds < 20 ? seconds - 10 : seconds - 75 + 5.3;
      expect(window.startInRecording(heardAt)).toBeCloseTo(seconds);
      expect(window.endInRecording(heardAt)).toBeCloseTo(seconds);
    }
  });

  test("leaves what begins or ends in a pause on its side of the pause", () => {
    expect(window.endInRecording(5.1)).toBeCloseTo(15.1);
    expect(window.startInRecording(5.2)).toBeCloseTo(74.9);
    const joint = window.pieces[1]?.at ?? NaN;
    expect(window.startInRecording(joint), "what begins where two pieces meet comes after the pause").toBeCloseTo(
      74.85,
    );
    expect(window.endInRecording(joint), "what ends there comes before it").toBeCloseTo(15.15);
    expect(window.endInRecording(-1)).toBe(10);
    expect(window.startInRecording(100)).toBe(80);
  });

  test("can be heard after some silence, unless it is too long", () => {
    const later = window.after(0.5);
    expect(later?.length).toBeCloseTo(window.length + 0.5);
    expect(later?.startInRecording(0.5 + 5.3)).toBeCloseTo(75);
    expect(later?.startInRecording(0)).toBe(10);
    expect(new SpeechWindow([{ start: 0, end: 29.8 }]).after(0.5)).toBeUndefined();
  });
});
