import { expect, test } from "vitest";
import { countWords } from "../src/values/text/count-words.ts";

test.each([
  ["", 0],
  [" — … !", 0],
  ["One, two — three…", 3],
  ["  one\n\ttwo ", 2],
  ["It's 5 o’clock, isn't it?", 5],
  ["A well-known wi-fi brand", 4],
  ["Version 2.5 costs $10,000", 4],
  ["रोटी ज़िंदा है।", 3],
  ["हिन्दी और हिंदी", 3],
  ["ரொட்டி உயிருள்ளது", 2],
  ["الخبز حي.", 2],
  ["我喜欢面包", 3],
  ["ขนมปังอร่อย", 2],
  ["My 面包 is ready", 4],
])("%j has %i words", (text, words) => {
  expect(countWords(text)).toBe(words);
});

test("a long text without spaces is counted piece by piece", () => {
  const words = countWords("我喜欢面包。".repeat(10_000));
  expect(words).toBeGreaterThan(29_000);
  expect(words).toBeLessThan(31_000);
});

test("a piece never ends inside a character", () => {
  expect(countWords("𠮷".repeat(2_000))).toBeGreaterThan(0);
  expect(countWords(`a${"𠮷".repeat(2_000)}`)).toBeGreaterThan(0);
});
