import { codeOfInstagramId, momentOfInstagramId } from "@reelscript/contract/values";
import { mediaIdOfCode } from "@reelscript/platform-standin";
import { expect, test } from "vitest";
import { codeMintedAt } from "../src/reels/shortcode.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();

test("a minted code tells its time", () => {
  const at = Date.UTC(2026, 4, 5, 6, 7, 8, 9);
  expect(momentOfInstagramId(mediaIdOfCode(codeMintedAt(at, 77))).getTime()).toBe(at);
});

test("every code is readable, unique, and dates from shortly before the post", () => {
  for (const { code, mediaId, takenAt } of standin().reels) {
    expect(code).toMatch(/^[A-Za-z0-9_-]{10,11}(?:[A-Za-z0-9_-]{28})?$/);
    expect(mediaId).toBe(mediaIdOfCode(code));
    expect(codeOfInstagramId(mediaId)).toBe(code.slice(0, 11));
    const minted = momentOfInstagramId(mediaId).getTime();
    expect(takenAt - minted / 1000).toBeGreaterThan(0);
    expect(takenAt - minted / 1000).toBeLessThan(120);
    expect(minted).toBeGreaterThan(Date.UTC(2012, 0));
    expect(minted).toBeLessThan(Date.UTC(2026, 9));
  }
});

test("the code of a private post has 39 characters, the oldest 10", () => {
  expect(codeOfKind(standin(), "private")).toHaveLength(39);
  expect(codeOfKind(standin(), "oldCode")).toHaveLength(10);
});
