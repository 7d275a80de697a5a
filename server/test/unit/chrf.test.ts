import { expect, test } from "vitest";
import { chrf } from "../../../bench/translation/chrf.ts";

test.each([
  // Letters 3 of 4, pairs 2 of 3, triples 1 of 2, fours 0 of 1 on both sides: the mean is 0.4792.
  ["abcd", "abce", 47.92],
  // Precision 1 and 1; recall 2 of 3 letters and 1 of 2 pairs, 0.5833: 5 * 0.5833 / 4.5833.
  ["ab", "abc", 63.64],
  // Precision 2 of 3 letters and 1 of 2 pairs, 0.5833; recall 1: 5 * 0.5833 / 3.3333.
  ["abc", "ab", 87.5],
  ["The same text.", "The same text.", 100],
  ["The same text.", "Thesame text.", 100],
  ["xyz", "abc", 0],
  ["", "abc", 0],
])("chrF2 of %j beside %j is %f", (hypothesis, reference, expected) => {
  expect(chrf([{ hypothesis, reference }])).toBeCloseTo(expected, 2);
});

test("several texts count by their n-grams, not each alone", () => {
  const pairs = [
    { hypothesis: "a", reference: "a" },
    { hypothesis: "xyz", reference: "abc" },
  ];
  // Letters 1 of 4, pairs 0 of 2, triples 0 of 1.
  expect(chrf(pairs)).toBeCloseTo(100 / 12, 2);
});
