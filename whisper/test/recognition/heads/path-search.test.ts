import { describe, expect, test } from "vitest";
import { WordGrams } from "../../../src/recognition/heads/word-grams.ts";
import { findWords, gramBytes, rowsOf, spelling } from "./small-head.ts";

const textOf = (...given: Parameters<typeof findWords>) =>
  findWords(...given)
    ?.map(({ text }) => text)
    .join(" ");

describe("the search of words", () => {
  const words = ["ab", "aab", "b"];
  const even = [0.3, 0.3, 0.3, 0.1];

  test("reads words between signs of their borders, with their frames", () => {
    expect(findWords(rowsOf("__ab_|_b__"), words, even)).toEqual([
      { text: "ab", first: 2, last: 3 },
      { text: "b", first: 7, last: 7 },
    ]);
  });

  test("takes a unit that lasts for one, and for two after a blank", () => {
    expect(textOf(rowsOf("aaab|"), words, even)).toBe("ab");
    expect(textOf(rowsOf("a_ab|"), words, even)).toBe("aab");
    expect(textOf(rowsOf("a_a_bb_b|"), [...words, "aabb"], [...even, 0.1])).toBe("aabb");
  });

  test("joins words without a sign of their border where nothing else fits", () => {
    expect(textOf(rowsOf("ab_9_9_9_9bbb"), words, even)).toBe("ab b");
    expect(textOf(rowsOf("ab_9_9_9_9bbb"), [...words, "abb"], [...even, 0.1])).toBe("abb");
  });

  test("prefers the likelier of words that sound alike, after the word before", () => {
    const alike = ["b", "x", "a", "c"];
    const rare = [0.4, 0.01, 0.3, 0.2, 0.09];
    expect(textOf(rowsOf("a|b"), alike, rare)).toBe("a b");
    expect(textOf(rowsOf("a|b"), alike, rare, [["a", "x", 0.4]])).toBe("a x");
    expect(textOf(rowsOf("c|b"), alike, rare, [["a", "x", 0.4]])).toBe("c b");
    expect(textOf(rowsOf("b"), alike, rare, [["", "x", 0.9]])).toBe("x");
  });

  test("lets a clear sound win over a common word", () => {
    expect(textOf(rowsOf("ac|"), ["ab", "ac"], [0.9, 0.05, 0.05])).toBe("ac");
    expect(textOf(rowsOf("ac4|"), ["ab", "ac"], [0.9, 0.001, 0.05])).toBe("ab");
  });

  test("finds nothing where no word fits, and in nothing", () => {
    expect(findWords(rowsOf("a"), ["bbbb"], [0.9, 0.1])).toEqual([]);
    expect(findWords([], words, even)).toEqual([]);
  });

  test("skips frames that are surely blank, and loses no frame number by it", () => {
    expect(findWords(rowsOf("_".repeat(50) + "a" + "_".repeat(50) + "b|"), words, even)).toEqual([
      { text: "ab", first: 50, last: 101 },
    ]);
  });
});

describe("word pairs", () => {
  const words = ["a", "b"];

  test("give a pair its own probability, and back off otherwise", () => {
    const grams = new WordGrams(gramBytes(words, [0.5, 0.25, 0.25], [["a", "b", 0.8]]));
    const after = grams.after(1, 0);
    expect(Math.exp(grams.logProbability(after, 1))).toBeCloseTo(0.8, 2);
    expect(Math.exp(grams.logProbability(after, 0))).toBeCloseTo(0.5 * 0.5, 2);
    expect(Math.exp(grams.logProbability(0, grams.endOfSentence))).toBeCloseTo(0.25, 2);
    expect(grams.after(after, 1)).toBe(0);
  });

  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ["cut off", (bytes) => bytes.subarray(0, -1)],
    ["empty", () => new Uint8Array(0)],
    ["of another kind", (bytes) => Uint8Array.from(bytes, (byte, at) => (at === 0 ? 0 : byte))],
    ["leading to no word", (bytes) => Uint8Array.from(bytes, (byte, at) => (at === 20 + 4 * (4 + 3 + 2) ? 99 : byte))],
  ])("that are %s are refused", (_, damage) => {
    const bytes = gramBytes(words, [0.5, 0.25, 0.25], [["a", "b", 0.8]]);
    expect(() => new WordGrams(bytes)).not.toThrow();
    expect(() => new WordGrams(damage(bytes))).toThrow(/word pairs/u);
  });
});

test("a spelling drops and replaces letters, and knows what it can't spell", () => {
  const a = 2;
  const b = 3;
  expect(spelling.unitsOf("a-b")).toEqual([a, b]);
  expect(spelling.unitsOf("xa")).toEqual([b, a]);
  expect(spelling.unitsOf("aż")).toBeUndefined();
  expect(spelling.unitsOf("-")).toBeUndefined();
});
