import { expect, test } from "vitest";
import { contrastOf, leastContrast, mixOf, readableGround, readableInk } from "../src/values/bio/readable-ink.ts";

test("contrast is counted as WCAG does", () => {
  expect(contrastOf("#000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastOf("#777777", "#fff")).toBeCloseTo(4.478, 3);
  expect(contrastOf("#ffffff", "#767676")).toBeCloseTo(4.542, 3);
  expect(contrastOf("#B8371A", "#b8371a")).toBe(1);
});

test("an unreadable ink becomes black or white", () => {
  expect(readableInk("#ffffff", "#b8371a")).toBe("#b8371a");
  expect(readableInk("#f3c9b5", "#ffffff")).toBe("#000000");
  expect(readableInk(["#20316a", "#b2406a"], "#000000")).toBe("#ffffff");
  expect(readableInk("#1d1820", null)).toBe("#ffffff");
});

test.each([
  ["#f3c9b5", "#ffffff"],
  ["#fc0", "#ffffff"],
  ["#222244", "#1d1820"],
  ["#808080", "#ffffff"],
])("the suggestion for %s under %s is readable and barely further away", (color, ink) => {
  const better = readableGround(color, ink);
  expect(contrastOf(better, ink)).toBeGreaterThanOrEqual(leastContrast);
  expect(contrastOf(better, ink)).toBeLessThan(leastContrast + 0.4);
  expect(readableGround(better, ink)).toBe(better);
});

test.each([
  ["#a5d8ff", "#ffffff", "#0078d4"],
  ["#ff9999", "#ffffff", "#ed0000"],
  ["#f3c9b5", "#ffffff", "#c35420"],
  ["#004488", "#000000", "#0073e6"],
])("the suggestion for %s under %s keeps its hue and saturation", (color, ink, better) => {
  expect(readableGround(color, ink)).toBe(better);
});

test("there is a color for an ink of middling gray too", () => {
  for (const ink of ["#757575", "#767676", "#777777"])
    expect(contrastOf(readableGround("#787878", ink), ink)).toBeGreaterThanOrEqual(leastContrast);
});

test("colors are mixed by shares", () => {
  expect(mixOf("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(mixOf("#fff", "#102030", 0)).toBe("#102030");
});
