import { expect, test } from "vitest";
import { scriptPieces } from "../../src/pages/library/script/script-pieces.ts";
import { momentAt, wordMoments } from "../../src/pages/library/script/word-moments.ts";

const segments = [
  { start: 0, end: 2, text: " No salt, no bread." },
  { start: 5, end: 7, text: "No bread, no salt. " },
];
const transcript = "No salt, no bread. No bread, no salt.";
const words = transcript
  .split(/(?= )/)
  .map((text, index) => ({ text, start: index * 0.5 + (index < 4 ? 0 : 3), end: 9 }));

test("a place in a segment is said when its word is", () => {
  const momentOf = wordMoments({ segments, words });
  expect([0, 3, 7, 9, 12].map((start) => momentOf({ text: 0, start }))).toEqual([0, 0.5, 0.5, 1, 1.5]);
  expect([0, 3, 14].map((start) => momentOf({ text: 1, start }))).toEqual([5, 5.5, 6.5]);
  expect(momentOf({ text: 2, start: 0 })).toBeUndefined();
  expect(wordMoments({ segments })({ text: 0, start: 0 })).toBeUndefined();
  expect(wordMoments({ segments: [], words })({ text: 0, start: 19 })).toBe(5);
  expect(
    wordMoments({ segments: [{ start: 0, end: 1, text: "not said" }], words })({ text: 0, start: 0 }),
  ).toBeUndefined();
});

test("a corrected segment has no moments, and the others keep theirs", () => {
  const corrected = [{ start: 0, end: 2, text: "Other words here.", corrected: true as const }, segments[1]!];
  const momentOf = wordMoments({ segments: corrected, words: words.slice(4) });
  expect(momentOf({ text: 0, start: 0 })).toBeUndefined();
  expect([0, 3, 14].map((start) => momentOf({ text: 1, start }))).toEqual([5, 5.5, 6.5]);
});

test("what led from a search is shown at the second of its word, anything else where it was asked for", () => {
  const momentOf = wordMoments({ segments, words });
  const at = (t: number, query?: string) => momentAt({ segments }, { current: 1, t, query, momentOf });
  expect([at(5, "salt"), at(5, "butter"), at(5), at(6.25, "salt"), at(4.8, "salt")]).toEqual([6.5, 5, 5, 6.25, 6.5]);
});

test("gaps are between the segments that are said before and after them", () => {
  const gaps = [
    { start: 8, end: 9 },
    { start: 2.5, end: 5 },
  ];
  expect(scriptPieces(segments, gaps)).toEqual([
    { kind: "segment", segment: segments[0], index: 0 },
    { kind: "gap", gap: gaps[1] },
    { kind: "segment", segment: segments[1], index: 1 },
    { kind: "gap", gap: gaps[0] },
  ]);
  expect(scriptPieces([], gaps)).toHaveLength(2);
});
