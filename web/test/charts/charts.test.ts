import { heatStep } from "@reelscript/contract/values";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  labeledBars,
  areaPath,
  barPath,
  linePath,
  linearScale,
  ticksOf,
  spacedIndices,
  stepOf,
  runningMedian,
} from "../../src/charts/geometry.ts";

describe("ticks", () => {
  test.each([
    [790_000, false, [0, 400_000, 800_000]],
    [0.6, false, [0, 0.3, 0.6]],
    [0, false, [0, 0.5, 1]],
    [0, true, [0, 1]],
    [1, true, [0, 1]],
    [3, true, [0, 2, 4]],
    [41, true, [0, 25, 50]],
  ])("up to %j, of counts: %j, are %j", (largest, whole, ticks) => expect(ticksOf(largest, { whole })).toEqual(ticks));

  test("begin at 0, are few and equidistant, and reach the maximum", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), fc.boolean(), (largest, whole) => {
        const ticks = ticksOf(largest, { whole });
        const [first, second = 0] = ticks;
        expect(first).toBe(0);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(3);
        expect(ticks.at(-1)! / largest).toBeGreaterThan(1 - 1e-6);
        for (const [index, tick] of ticks.entries()) expect(tick / second).toBeCloseTo(index, 6);
        if (whole) expect(ticks.every(Number.isInteger)).toBe(true);
      }),
    );
  });
});

test("a scale maps proportionally, reversed too, and centers values without extent", () => {
  expect([0, 25, 100].map(linearScale([0, 100], [180, 30]))).toEqual([180, 142.5, 30]);
  expect(linearScale([3, 3], [0, 10])(3)).toBe(5);
});

test("the highest bars have figures that don't touch each other", () => {
  expect(labeledBars([5, 9, 8, null, 0, 7], { gap: 1 })).toEqual([1, 2, 5]);
  expect(labeledBars([5, 9, 8, null, 0, 7], { gap: 2 })).toEqual([1, 5]);
  expect(labeledBars([0, null, 0], { gap: 1 })).toEqual([]);
});

test("labels below stand apart and begin at the first position", () => {
  expect(spacedIndices(4, 400, 64)).toEqual([0, 1, 2, 3]);
  expect(spacedIndices(26, 996, 64)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24]);
  expect(spacedIndices(90, 40, 64)).toEqual([0]);
  expect(spacedIndices(0, 400, 64)).toEqual([]);
});

describe("paths", () => {
  const points = [{ x: 0, y: 10 }, { x: 10, y: 4.26 }, null, { x: 30, y: 2 }];
  test("of lines break where a value is missing", () => expect(linePath(points)).toBe("M0 10L10 4.3M30 2"));
  test("of areas close on the base piecewise, without single points", () =>
    expect(areaPath(points, 20)).toBe("M0 10L10 4.3L10 20L0 20Z"));
  test("of bars stand on the base, and are nothing at 0", () => {
    expect(barPath(5, 10, 50, 180)).toBe("M5 180V54q0-4 4-4h2q4 0 4 4V180Z");
    expect(barPath(5, 10, 179, 180)).toBe("M5 180V180q0-1 1-1h8q1 0 1 1V180Z");
    expect(barPath(5, 10, 180, 180)).toBe("");
  });
});

test("each shade covers a fifth of the values; no value looks empty", () => {
  const views = [10, 20, 30, 40, 1_000_000];
  expect(views.map((value) => heatStep(value, views))).toEqual([1, 2, 3, 4, 5]);
  expect(heatStep(7, [7, 7])).toBe(3);
  expect(heatStep(50, views), "of a square that few speak for").toBe(5);
});

test("a running median skips missing values, and needs enough known ones", () => {
  expect(runningMedian([1, 9, 2, 8, 3], 3)).toEqual([5, 2, 8, 3, 5.5]);
  expect(runningMedian([1, null, null, null, 3], 3)).toEqual([null, null, null, null, null]);
  expect(runningMedian([4, null, 6], 3)).toEqual([null, 5, null]);
});

test.each([
  ["ArrowRight", 3, 1, 4],
  ["ArrowUp", 3, 1, 4],
  ["ArrowLeft", 0, 1, 0],
  ["ArrowRight", 167, 1, 167],
  ["Home", 7, 1, 0],
  ["End", 7, 1, 167],
  ["ArrowDown", 3, 24, 27],
  ["ArrowUp", 3, 24, 3],
  ["ArrowDown", 150, 24, 150],
  ["Tab", 3, 1, undefined],
])("the key %s leads from %j, in rows of %j, to %j", (key, from, row, to) =>
  expect(stepOf(key, from, { count: 168, row })).toBe(to),
);
