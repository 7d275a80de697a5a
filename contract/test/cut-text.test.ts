import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { beginningOf, cutText } from "../src/values.ts";

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
const lettersOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Characters that readers see as one although they have several units. */
const letters = ["🇩🇪", "👨‍👩‍👧‍👦", "கோ", "e\u0301", "👍🏽", "क्षि", "각", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️‍🔥"];

afterEach(() => void vi.restoreAllMocks());

describe("a text that is cut for people", () => {
  test.each(letters)("ends before or behind %s, never in it", (letter) => {
    for (const text of [letter.repeat(200), `words and ${letter.repeat(200)}`, `${"ab ".repeat(40)}${letter} end`])
      for (let length = 40; length < 200; length += 1) {
        const cut = cutText(text, length);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(length, text.length) - letter.length);
        expect(lettersOf(text).slice(0, lettersOf(cut).length).join(""), `${length}`).toBe(cut);
      }
  });

  test("ends between letters whatever it is made of", () => {
    const unit = fc.constantFrom(...letters, "a", " ", "\n", "é", "क", "்", "\u200D", "🇩", "漢", "م", "\u0301");
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 30, maxLength: 90 }),
        fc.integer({ min: 30, max: 90 }),
        (text, length) => {
          fc.pre(lettersOf(text).every((letter) => letter.length < 30));
          const cut = cutText(text, length);
          expect(lettersOf(text).slice(0, lettersOf(cut).length).join("")).toBe(cut);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("stays whole when it is short enough", () => expect(cutText("கோ", 2)).toBe("கோ"));

  test("is looked at around its end alone, however long a letter is", () => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this` below
    const { segment } = Intl.Segmenter.prototype;
    const looked: number[] = [];
    vi.spyOn(Intl.Segmenter.prototype, "segment").mockImplementation(function (this: Intl.Segmenter, text: string) {
      looked.push(text.length);
      return segment.call(this, text);
    });
    for (const text of [`a${"\u0301".repeat(100_000)}`, "🇩🇪".repeat(50_000), "\uD83C".repeat(100_000)])
      for (const length of [80, 9_999, 90_001]) {
        const cut = cutText(text, length);
        expect(cut.length).toBeGreaterThan(length - 5);
        expect(cut).not.toMatch(/[\uD800-\uDBFF]$(?<!\uD83C)/u);
      }
    expect(looked).toHaveLength(9);
    expect(Math.max(...looked)).toBeLessThan(4_300);
  });

  test("as a title ends between letters, too", () => {
    const title = beginningOf(`${"கோ".repeat(60)} end`);
    expect(title.slice(0, -1)).toBe("கோ".repeat(title.slice(0, -1).length / "கோ".length));
  });
});
