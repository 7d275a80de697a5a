import fc from "fast-check";
import { expect, test } from "vitest";
import { windowSegments } from "../../src/recognition/segments.ts";
import type { Specification } from "../../src/recognition/specification.ts";

const specification: Specification = {
  endOfText: 300,
  startOfTranscript: 301,
  transcribe: 303,
  noSpeech: 304,
  noTimestamps: 305,
  firstTimestamp: 306,
  latestFirstTimestamp: 50,
  languages: new Map([["en", 302]]),
  suppressed: [],
  longestText: 220,
};
const tokenizer = {
  decode: (tokens: readonly number[]) => Buffer.from(tokens.filter((t) => t < 256)).toString("utf8"),
};
const at = (seconds: number) => specification.firstTimestamp + Math.round(seconds * 50);
const letters = (text: string) => [...Buffer.from(text)];
const cut = (tokens: readonly number[], start = 100, end = 110) =>
  windowSegments(tokens, { start, end }, specification, tokenizer);

test("text between timestamps becomes segments at their place in the recording", () => {
  const tokens = [at(0), ...letters(" Hello."), at(2), at(2.5), ...letters(" You."), at(4)];
  expect(cut(tokens)).toEqual({
    segments: [
      { start: 100, end: 102, text: "Hello." },
      { start: 102.5, end: 104, text: "You." },
    ],
    heardUntil: 110,
  });
});

test("a sentence that the window cuts off is left to the next window", () => {
  const tokens = [at(0), ...letters(" Hello."), at(6), at(6), ...letters(" And th")];
  expect(cut(tokens)).toEqual({ segments: [{ start: 100, end: 106, text: "Hello." }], heardUntil: 106 });
});

test("a letter whose bytes are in several tokens is whole", () => {
  expect(cut([at(0), ...letters("नमस्ते"), at(1)]).segments[0]?.text).toBe("नमस्ते");
});

test("whatever the tokens, segments are in the window, in order, and the window is left behind", () => {
  const token = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 306, max: 306 + 1500 }));
  fc.assert(
    fc.property(fc.array(token, { maxLength: 60 }), fc.double({ min: 0.3, max: 30, noNaN: true }), (raw, length) => {
      // Timestamps never fall: the rules of tokens see to that.
      let latest = 306;
      const tokens = raw.map((each) => (each >= 306 ? (latest = Math.max(latest, each)) : each));
      const { segments, heardUntil } = cut(tokens, 50, 50 + length);
      let last = 50;
      for (const { start, end, text } of segments) {
        expect(text).not.toBe("");
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(50 + length);
        last = start;
      }
      expect(heardUntil).toBeGreaterThan(50);
      expect(heardUntil).toBeLessThanOrEqual(50 + length);
    }),
  );
});
