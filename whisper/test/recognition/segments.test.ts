import fc from "fast-check";
import { expect, test } from "vitest";
import { windowSegments } from "../../src/recognition/segments.ts";
import { at, letters, specification, tokenizer } from "./small-specification.ts";

const cut = (tokens: readonly number[], length = 10) =>
  windowSegments({ tokens, probabilities: [] }, length, specification, tokenizer);

test("text between timestamps becomes segments at their place in the window", () => {
  const tokens = [at(0), ...letters(" Hello."), at(2), at(2.5), ...letters(" You."), at(4)];
  expect(cut(tokens)).toEqual({
    segments: [
      { start: 0, end: 2, text: "Hello.", tokens: letters(" Hello."), probabilities: [] },
      { start: 2.5, end: 4, text: "You.", tokens: letters(" You."), probabilities: [] },
    ],
    open: undefined,
    closedAt: 4,
  });
});

test("a sentence that the window cuts off is left open", () => {
  const tokens = [at(0), ...letters(" Hello."), at(6), at(6), ...letters(" And th")];
  expect(cut(tokens)).toMatchObject({
    segments: [{ start: 0, end: 6, text: "Hello." }],
    open: { start: 6, end: 10, text: "And th" },
    closedAt: 6,
  });
});

test("a sentence of one token is closed by the timestamp behind it", () => {
  const expected = { segments: [{ start: 0, end: 1, text: "I" }], open: undefined, closedAt: 1 };
  expect(cut([...letters("I"), at(1)])).toMatchObject(expected);
});

test("a letter whose bytes are in several tokens is whole", () => {
  expect(cut([at(0), ...letters("नमस्ते"), at(1)]).segments[0]?.text).toBe("नमस्ते");
});

test("whatever the tokens, segments are in the window and in order, and all text is in them", () => {
  const token = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 306, max: 306 + 1500 }));
  fc.assert(
    fc.property(fc.array(token, { maxLength: 60 }), fc.double({ min: 0.3, max: 30, noNaN: true }), (raw, length) => {
      // Timestamps never fall: the rules of tokens see to that.
      let latest = 306;
      const tokens = raw.map((each) => (each >= 306 ? (latest = Math.max(latest, each)) : each));
      const { segments, open, closedAt } = cut(tokens, length);
      let last = 0;
      for (const { start, end, text } of open ? [...segments, open] : segments) {
        expect(text).not.toBe("");
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(length);
        last = start;
      }
      const written = tokens.filter((each) => each < 256);
      const keptTokens = (open ? [...segments, open] : segments).flatMap((segment) => segment.tokens);
      expect(tokenizer.decode(keptTokens).replaceAll(/\s/g, "")).toBe(tokenizer.decode(written).replaceAll(/\s/g, ""));
      expect(closedAt ?? 0).toBeLessThanOrEqual(length);
    }),
  );
});
