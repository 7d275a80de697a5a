import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Span, speechSpans } from "../../src/recognition/speech-spans.ts";
import { ENCODER_SECONDS, nextWindow, speechBetween } from "../../src/recognition/speech-window.ts";

function planAll(spans: readonly Span[], longest: number): Span[] {
  const windows: Span[] = [];
  for (let from = 0; ;) {
    const window = nextWindow(spans, from, longest);
    if (!window) return windows;
    windows.push(window);
    from = window.end;
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

describe.each([ENCODER_SECONDS, 11])("windows of %i s", (longest) => {
  test("hold all speech but crumbs, once, and fit into the encoder", () => {
    fc.assert(
      fc.property(voice, (probabilities) => {
        const spans = speechSpans(probabilities, probabilities.length * 0.032);
        const windows = planAll(spans, longest);
        let last = 0;
        for (const { start, end } of windows) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end - start).toBeLessThanOrEqual(Math.min(ENCODER_SECONDS, longest + 1) + 1e-9);
          last = end;
        }
        const all = speechBetween(spans, 0, Infinity);
        const held = windows.reduce((sum, { start, end }) => sum + speechBetween(spans, start, end), 0);
        expect(all - held).toBeLessThanOrEqual(0.25 * windows.length + 1e-9);
      }),
    );
  });

  test("are as few as possible: two neighbours never fit into one", () => {
    fc.assert(
      fc.property(voice, (probabilities) => {
        const windows = planAll(speechSpans(probabilities, probabilities.length * 0.032), longest);
        const pairs = windows.slice(1).map((window, index) => window.end - (windows[index]?.start ?? 0));
        expect(Math.min(Infinity, ...pairs)).toBeGreaterThan(longest);
      }),
    );
  });
});
