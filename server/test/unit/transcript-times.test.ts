import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storable } from "../../src/adapters/database/engine/storable.ts";
import {
  packTimes,
  packWords,
  readWords,
  unpackTimes,
  writeWords,
} from "../../src/adapters/database/transcripts/transcript-times.ts";

const moment = fc.integer({ min: 0, max: 2_147_483_647 });
const percent = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });

/** Texts with their words: of any letters, with and without spaces, and pieces that are empty. */
const spoken = fc
  .array(
    fc.record({
      text: fc.string({ unit: "binary", maxLength: 12 }).map(storable),
      start: moment,
      end: moment,
      percent,
    }),
  )
  .map((words) => ({ text: words.map((word) => word.text).join(""), words }));

const minute = Array.from({ length: 150 }, (_, index) => ({
  text: `${index === 0 ? "" : " "}word${index % 7}`,
  start: Math.round(index * 400 + 20 * (index % 3)) / 1_000,
  end: (index * 400 + 380) / 1_000,
  probability: (50 + (index % 50)) / 100,
}));
const textOfMinute = minute.map(({ text }) => text).join("");
const segmentsOfMinute = textOfMinute.split(/(?<=word6) /u).map((text, index) => ({
  start: index * 2.8,
  end: index * 2.8 + 2.781,
  text,
}));

describe("the times of a transcript", () => {
  test("come back as they were, whatever was said when", () => {
    fc.assert(
      fc.property(spoken, ({ text, words }) => {
        const numbers = packWords(
          words.map(({ text: { length }, ...times }) => ({
            length,
            start: times.start,
            end: times.end,
            percent: times.percent,
          })),
        );
        expect(unpackTimes(text, packTimes(text, { segments: [], words: numbers }))).toEqual({
          segments: [],
          words: numbers,
        });
      }),
    );
  });

  test("return with segments that are parts of text, repeated or empty", () => {
    const text = "so so what\nso";
    const segments = [
      { start: 0.001, end: 2, text: "so" },
      { start: 2, end: 1.5, text: "so what" },
      { start: 7, end: 7, text: "" },
      { start: 7_000_000, end: 7_000_000.123, text: "so" },
    ];
    expect(unpackTimes(text, packTimes(text, { segments, words: null }))).toEqual({ segments, words: null });
  });

  test.each([
    ["isn't in the text", [{ start: 0, end: 1, text: "other words" }]],
    [
      "is in another order",
      [
        { start: 0, end: 1, text: "two" },
        { start: 1, end: 2, text: "one" },
      ],
    ],
    ["says more", [{ start: 0, end: 1, text: "one", corrected: true }]],
  ])("come back with a segment that %s", (_, segments) => {
    const plain = { segments, words: [3, 0, 500, 4, 500, 900] };
    expect(unpackTimes("one two", packTimes("one two", plain))).toEqual(plain);
  });

  test("lose what no text can hold", () => {
    const said = "one\0 two";
    const segments = [{ start: 0, end: 1, text: said }];
    const read = unpackTimes("one two", packTimes(said, { segments, words: null }));
    expect(read.segments).toEqual([{ start: 0, end: 1, text: "one two" }]);
  });

  test("of a minute take less than four bytes a word", () => {
    const words = writeWords(textOfMinute, minute);
    const packed = packTimes(textOfMinute, { segments: segmentsOfMinute, words });
    expect(packed.length).toBeLessThan(4 * minute.length);
    const read = unpackTimes(textOfMinute, packed);
    expect(read.segments).toEqual(
      segmentsOfMinute.map((one) => ({
        ...one,
        start: Math.round(one.start * 1_000) / 1_000,
        end: Math.round(one.end * 1_000) / 1_000,
      })),
    );
    expect(readWords(textOfMinute, read.words)).toEqual(minute);
  });

  test("are refused when they are cut off or of another release", () => {
    const packed = packTimes(textOfMinute, { segments: segmentsOfMinute, words: writeWords(textOfMinute, minute) });
    expect(() => unpackTimes(textOfMinute, packed.subarray(0, 100))).toThrow("cut off");
    expect(() => unpackTimes(textOfMinute, Uint8Array.of(9, 1))).toThrow("of another release");
  });
});
