import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalShortcode, mediaIdOfShortcode } from "../../src/adapters/platforms/instagram/instagram.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const shortcodeOf = (id: bigint): string =>
  id === 0n ? "" : shortcodeOf(id / 64n) + alphabet.charAt(Number(id % 64n));

const published: readonly (readonly [string, string])[] = [
  ["aye83DjauH", "482584233761418119"],
  ["C8T_1NRpPG4", "3392335677657248184"],
  ["DDhF_64RGd9", "3522122766361061245"],
  ["DIxIO-ATiiv", "3616708188777097391"],
  ["DLlGZiCOBQ0", "3667365614373573684"],
  ["DW3x2NpigcR", "3870781634534573841"],
  ["Chunk8-jurw", "2913440072144448240"],
  ["BkfuX9UB-eK", "1810369531748018058"],
];

describe("media ids", () => {
  test.each(published)("%s is %s", (shortcode, mediaId) => {
    expect(mediaIdOfShortcode(shortcode)).toBe(mediaId);
  });

  test("the code of a private account's post names the same number without its suffix", () => {
    const long = "C5_A1TQNPrYw4c2g9KAUTPUl8RVHqiAdAcOOSY0";
    expect(mediaIdOfShortcode(long)).toBe("3350400310592207576");
    expect(canonicalShortcode(long)).toBe(long);
  });

  test("every 63-bit number survives the round trip", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 63n - 1n), (id) => {
        const shortcode = shortcodeOf(id);
        expect(shortcode).toMatch(/^[\w-]{1,11}$/);
        expect(mediaIdOfShortcode(shortcode)).toBe(String(id));
        expect(mediaIdOfShortcode(`A${shortcode}`)).toBe(String(id));
        expect(canonicalShortcode(`AA${shortcode}`)).toBe(shortcode);
      }),
    );
  });

  test.each(["", "A", "AAAA", "a b", "DLlGZiCOBQ0!", "Déjàvu", "____________", "_".repeat(28), "_".repeat(40)])(
    "%j stands for no number",
    (shortcode) => {
      expect(mediaIdOfShortcode(shortcode)).toBeUndefined();
    },
  );
});
