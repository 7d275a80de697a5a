import { sumOfErrors, textErrorsOf } from "@reelscript/whisper";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const missing = (reference: string, transcript: string): number => textErrorsOf(reference, transcript).longestMissing;

describe("errors of a text", () => {
  test.each([
    ["one two three", "one two three", 0, 0],
    ["One, two: THREE!", "one two three", 0, 0],
    ["one two three", "one three", 1, 1],
    ["one two three", "one too three", 1, 0],
    ["one two three", "one two two three", 1, 0],
    ["one two three", "", 3, 3],
    ["", "one", 1, 0],
    ["", "", 0, 0],
    ["a b c d e f g", "a g", 5, 5],
    ["a b c d e f g", "a x d e g", 3, 1],
    ["க் கா", "க கா", 1, 0],
    ["أَسْوَدُ", "أسود", 0, 0],
    ["شكرًا جزيلاً", "شكر جزيل", 0, 0],
    ["مـرحبا", "مرحبا", 0, 0],
    ["شكرا", "شكر", 1, 0],
  ])("%j heard as %j", (reference, transcript, wordErrors, longestMissing) => {
    expect(textErrorsOf(reference, transcript)).toMatchObject({ wordErrors, longestMissing });
  });

  test("a word that is also said elsewhere does not hide a lost sentence", () => {
    expect(missing("we saw the dog and the cat near the river before the rain", "we saw the rain")).toBe(9);
    expect(missing("the a the b the c the end", "the end")).toBe(6);
  });

  test("a run ends where something else was heard", () => {
    expect(missing("a b c d e f g h", "a x y z h")).toBe(3);
  });

  test("are those of the shortest way, and no run is longer than what is missing", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 });
    /** Every way of turning one list into the other, tried out. */
    const shortest = (from: readonly string[], to: readonly string[]): number => {
      if (from.length === 0 || to.length === 0) return Math.max(from.length, to.length);
      const [one, ...rest] = from;
      const [other, ...others] = to;
      if (one === other) return shortest(rest, others);
      return 1 + Math.min(shortest(rest, to), shortest(from, others), shortest(rest, others));
    };
    fc.assert(
      fc.property(texts, texts, (said, transcript) => {
        const errors = textErrorsOf(said.join(" "), transcript.join(" "));
        expect(errors.wordErrors).toBe(shortest(said, transcript));
        expect(errors.longestMissing).toBeLessThanOrEqual(errors.wordErrors);
        expect(errors.longestMissing).toBeGreaterThanOrEqual(said.length > transcript.length ? 1 : 0);
      }),
      { numRuns: 300 },
    );
  });

  test("are summed over clips, and the longest run stays the longest of one clip", () => {
    const sum = sumOfErrors([textErrorsOf("a b c", "a"), textErrorsOf("d e f g", "g"), textErrorsOf("h", "h")]);
    expect(sum).toMatchObject({ words: 8, wordErrors: 5, longestMissing: 3 });
  });
});
