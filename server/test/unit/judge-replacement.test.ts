import { expect, test } from "vitest";
import { judgeReplacement } from "../../src/recognition/judge-replacement.ts";

const twenty = Array.from({ length: 20 }, (_, index) => `word${index}`);
const heard = (text: string, gapSeconds = 0, seconds = 60) => ({
  text,
  gaps: [{ start: 0, end: gapSeconds, reason: "noText" as const }],
  seconds,
});

test.each([
  ["replaced", heard("one", 5), heard("one", 4.5)],
  ["notFewerGaps", heard("one", 5), heard("one two", 5)],
  ["notFewerGaps", heard("one"), heard("one two")],
  ["empty", heard("one", 5), heard(" ")],
  ["empty", heard(""), heard("")],
  ["replaced", heard(""), heard("one", 5)],
  ["replaced", heard(twenty.join(" "), 5), heard(twenty.slice(1).join(" "))],
  ["fewerWords", heard(twenty.join(" "), 5), heard(twenty.slice(2).join(" "))],
  ["shorterAudio", heard("one", 5, 60), heard("one", 0, 30)],
])("a new transcript is %s", (outcome, old, replacement) => {
  expect(judgeReplacement(old, replacement)).toBe(outcome);
});
