import { codeOfInstagramId } from "@reelscript/contract/values";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";

describe("media ids", () => {
  test.each([
    ["aye83DjauH", "482584233761418119"],
    ["C8T_1NRpPG4", "3392335677657248184"],
    ["DDhF_64RGd9", "3522122766361061245"],
    ["DIxIO-ATiiv", "3616708188777097391"],
    ["DLlGZiCOBQ0", "3667365614373573684"],
    ["DW3x2NpigcR", "3870781634534573841"],
    ["BkfuX9UB-eK", "1810369531748018058"],
    ["C5_A1TQNPrYw4c2g9KAUTPUl8RVHqiAdAcOOSY0", "3350400310592207576"],
  ])("%s is %s", (code, mediaId) => {
    expect(instagram.identify(code)).toEqual({ mediaId, code });
  });

  test("every 63-bit number survives the round trip", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 63n - 1n), fc.constantFrom("", "A", "AA"), (id, zeros) => {
        const code = codeOfInstagramId(String(id));
        expect(code).toMatch(/^[\w-]{1,11}$/);
        expect(instagram.identify(zeros + code)).toEqual({ mediaId: String(id), code });
      }),
    );
  });

  test.each(["", "A", "AAAA", "a b", "DLlGZiCOBQ0!", "Déjàvu", "____________", "_".repeat(28), "_".repeat(40)])(
    "%j stands for no number",
    (code) => {
      expect(instagram.identify(code)).toBeUndefined();
    },
  );
});
