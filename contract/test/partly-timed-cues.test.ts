import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { partlyTimedCues } from "../src/subtitles/partly-timed-cues.ts";
import { wordCues } from "../src/subtitles/word-cues.ts";

const wordsOf = (text: string, start: number) =>
  text
    .split(/(?= )/)
    .map((word, index) => ({ start: start + index * 0.4, end: start + index * 0.4 + 0.3, text: word }));

describe("subtitles of a corrected script", () => {
  test("are those of the words where nothing is corrected", () => {
    const text = "Salt comes first of all.";
    const words = wordsOf(text, 0);
    expect(partlyTimedCues([{ start: 0, end: 2, text }], words)).toEqual(wordCues(words));
  });

  test("keep the times of corrected segments, and those of words elsewhere", () => {
    const first = "Salt comes first of all.";
    const last = "Then we bake the bread.";
    const words = [...wordsOf(first, 0), ...wordsOf(` ${last}`, 6)];
    const segments = [
      { start: 0, end: 2, text: first },
      { start: 2.5, end: 5, text: "Never before the yeast.", corrected: true as const },
      { start: 6, end: 8, text: last },
    ];
    const cues = partlyTimedCues(segments, words);
    expect(cues.map(({ from, lines }) => [from, lines.join(" ")])).toEqual([
      [0, first],
      [2_500, "Never before the yeast."],
      [6_000, last],
    ]);
    expect(cues[0]?.times?.flat().length).toBeGreaterThan(2);
    expect(cues[1]?.times).toBeUndefined();
  });

  test("lose no text and never overlap, whatever the times are", () => {
    const time = fc.double({ min: 0, max: 30, noNaN: true });
    const segment = fc.record({
      start: time,
      end: time,
      text: fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,30}$/),
      corrected: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 8 }),
        fc.array(fc.record({ start: time, end: time })),
        (made, gaps) => {
          const sorted = made.toSorted((one, other) => one.start - other.start);
          const segments = sorted.map(({ corrected, ...rest }) => ({
            ...rest,
            ...(corrected && ({ corrected } as const)),
          }));
          const words = segments.flatMap(({ text, start, ...rest }) =>
            "corrected" in rest ? [] : wordsOf(text, start),
          );
          const cues = partlyTimedCues(segments as Parameters<typeof partlyTimedCues>[0], words, gaps);
          const letters = (text: string) => text.replaceAll(/\s/g, "");
          expect(letters(cues.flatMap(({ lines }) => lines).join(""))).toBe(
            letters(segments.map(({ text }) => text).join("")),
          );
          for (const [index, { from, to }] of cues.entries()) {
            expect(to).toBeGreaterThan(from);
            expect(from).toBeGreaterThanOrEqual(cues[index - 1]?.to ?? 0);
          }
        },
      ),
    );
  });
});
