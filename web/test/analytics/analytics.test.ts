import { describe, expect, test } from "vitest";
import { changeSince, countryName } from "../../src/format.ts";

describe("the change against the period before", () => {
  test.each([
    [124, 100, "+24%"],
    [50, 200, "\u221275%"],
    [0, 5, "\u2212100%"],
    [1001, 1000, "as many"],
    [7, 0, undefined],
    [0, 0, undefined],
  ])("from %j visits, before %j, is %j", (now, before, change) => expect(changeSince(now, before)).toBe(change));
});

test("countries have names; what is no country keeps its code", () => {
  expect(["PT", "in", "ZZZ", "??"].map(countryName)).toEqual(["Portugal", "India", "ZZZ", "??"]);
});
