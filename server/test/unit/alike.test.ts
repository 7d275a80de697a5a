import { expect, test } from "vitest";
import { isAlike } from "../../src/rules/alike.ts";

const long = "dough ".repeat(4_000);

test.each([
  ["case, marks and order", "Salt comes first.", "first COMES salt!", true],
  ["half of all words in both", "salt bread oven", "salt bread dough", true],
  ["fewer than half of them in both", "salt bread oven", "salt dough water", false],
  ["other words with the same end", "cat", "hat", false],
  ["no words", "", "", false],
  ["twice the length", "salt", "salt....", true],
  ["more than twice the length", "salt", "salt.....", false],
  ["what differs behind 20,000 characters", `${long}salt bread`, `${long}oven water`, true],
])("texts with %s", (_what, one, other, alike) => {
  expect([isAlike(one, other), isAlike(other, one)]).toEqual([alike, alike]);
});
