import { codeOfMediaId, mediaIdOfCode, mintedAtOfMediaId } from "@reelscript/platform-standin";
import { expect, test } from "vitest";
import { codeMintedAt } from "../src/reels/shortcode.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();

test.each([
  ["aye83DjauH", "482584233761418119"],
  ["C8T_1NRpPG4", "3392335677657248184"],
  ["DDhF_64RGd9", "3522122766361061245"],
  ["DW3x2NpigcR", "3870781634534573841"],
])("%s stands for %s, both ways", (code, mediaId) => {
  expect(mediaIdOfCode(code)).toBe(mediaId);
  expect(codeOfMediaId(mediaId)).toBe(code);
});

test("a code of 39 characters stands for its first 11", () => {
  expect(mediaIdOfCode("C5_A1TQNPrY".padEnd(39, "x"))).toBe(mediaIdOfCode("C5_A1TQNPrY"));
  expect(() => mediaIdOfCode("not a code!")).toThrow(RangeError);
});

test("a minted code tells its time", () => {
  const at = Date.UTC(2026, 4, 5, 6, 7, 8, 9);
  expect(mintedAtOfMediaId(mediaIdOfCode(codeMintedAt(at, 77)))).toBe(at);
});

test("the code of every reel can be read, differs, and tells a time shortly before the post", () => {
  const ids = new Set<string>();
  for (const reel of standin().reels) {
    expect(reel.code).toMatch(/^[A-Za-z0-9_-]{10,11}(?:[A-Za-z0-9_-]{28})?$/);
    expect(reel.mediaId).toBe(mediaIdOfCode(reel.code));
    expect(codeOfMediaId(reel.mediaId)).toBe(reel.code.slice(0, 11));
    const minted = mintedAtOfMediaId(reel.mediaId) / 1000;
    expect(reel.takenAt - minted).toBeGreaterThan(0);
    expect(reel.takenAt - minted).toBeLessThan(120);
    expect(minted * 1000).toBeGreaterThan(Date.UTC(2012, 0));
    expect(minted * 1000).toBeLessThan(Date.UTC(2026, 9));
    ids.add(reel.mediaId);
  }
  expect(ids.size).toBe(standin().reels.length);
});

test("the code of a private post has 39 characters, the oldest 10", () => {
  expect(codeOfKind(standin(), "private")).toHaveLength(39);
  expect(codeOfKind(standin(), "oldCode")).toHaveLength(10);
});
