import { expect, test } from "vitest";
import { placeWords } from "../../src/recognition/words/place-words.ts";
import { paddingSeconds } from "../../src/recognition/signal/speech-spans.ts";

const before = paddingSeconds - 0.03;
const after = paddingSeconds - 0.05;
const word = (start: number, end: number, [earliest, latest] = [0, 100]) => ({
  text: " word",
  start,
  end,
  earliest,
  latest,
});
const rounded = (seconds: number) => Number(seconds.toFixed(3));
/** Start and end of each, to the millisecond. */
const times = (words: readonly ReturnType<typeof word>[], spans: readonly { start: number; end: number }[]) =>
  placeWords(words, spans).map(({ start, end }) => [rounded(start), rounded(end)]);
const span = (start: number, end: number) => ({ start, end });

test("a word in a pause moves to the speech that is closer, within its padding", () => {
  const spans = [span(1, 3), span(6, 9)];
  const firstEnd = rounded(3 - after);
  const secondStart = rounded(6 + before);
  expect(times([word(0, 0.5)], spans)).toEqual([[rounded(1 + before), rounded(1 + before)]]);
  expect(times([word(3.1, 3.4)], spans)).toEqual([[firstEnd, firstEnd]]);
  expect(times([word(5.5, 5.9)], spans)).toEqual([[secondStart, secondStart]]);
  expect(times([word(2, 6.5)], spans), "shares more with the first").toEqual([[2, firstEnd]]);
});

test("spans that touch have no padding between them, and one shorter than its padding is kept whole", () => {
  expect(times([word(1.9, 2.1)], [span(1, 2), span(2, 4)])).toEqual([[1.9, 2]]);
  expect(times([word(1.8, 2.4)], [span(1, 2), span(2, 4)])).toEqual([[2, 2.4]]);
  const short = span(5, 5 + paddingSeconds);
  expect(times([word(4, 7)], [short])).toEqual([[5, rounded(short.end)]]);
});

test("a word stays within half a second of its segment, whichever of its times comes first", () => {
  expect(times([word(8, 9, [2, 3])], [])).toEqual([[3.5, 3.5]]);
  expect(times([word(0, 1, [3, 2])], [])).toEqual([[1.5, 1.5]]);
});

test("no word begins before the last one has ended, or ends before it begins", () => {
  const spans = [span(0, 10)];
  expect(times([word(2, 4), word(3, 5), word(7, 6)], spans)).toEqual([
    [2, 4],
    [4, 5],
    [7, 7],
  ]);
});
