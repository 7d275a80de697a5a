import { expect, test } from "vitest";
import { judgeReplacement } from "../../src/recognition/judge-replacement.ts";

const twenty = Array.from({ length: 20 }, (_, index) => `word${index}`);
const speech = (text: string, gapSeconds = 0, seconds = 60) => ({
  text,
  gaps: [{ start: 0, end: gapSeconds, reason: "noText" as const }],
  seconds,
});

test.each([
  ["replaced", speech("one", 5), speech("one", 4.5)],
  ["notFewerGaps", speech("one", 5), speech("one two", 5)],
  ["notFewerGaps", speech("one"), speech("one two")],
  ["empty", speech("one", 5), speech(" ")],
  ["empty", speech(""), speech("")],
  ["replaced", speech(""), speech("one", 5)],
  ["replaced", speech(twenty.join(" "), 5), speech(twenty.slice(1).join(" "))],
  ["fewerWords", speech(twenty.join(" "), 5), speech(twenty.slice(2).join(" "))],
  ["shorterAudio", speech("one", 5, 60), speech("one", 0, 30)],
])("a new transcript is %s", (outcome, old, replacement) => {
  expect(judgeReplacement(old, replacement)).toBe(outcome);
});
