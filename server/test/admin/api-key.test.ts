import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApiKey, parseApiKey } from "../../src/callers/authenticate.ts";
import { createNewId } from "../../src/rules/new-id.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefixLength = "svc_sk_".length;

describe("API keys", () => {
  it("have their shape, hash and last four digits", () => {
    const { key, hash, lastFour } = createApiKey();
    expect(key).toMatch(/^svc_sk_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
    expect(Buffer.from(hash)).toEqual(createHash("sha256").update(key).digest());
    expect(key.endsWith(lastFour)).toBe(true);
    expect(lastFour).toHaveLength(4);
  });

  it("are read back, and never twice the same", () => {
    const keys = Array.from({ length: 1_000 }, createApiKey);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
    for (const { key, hash } of keys) expect(parseApiKey(key)).toEqual(hash);
  });

  it("read a handmade key of zeros, whose CRC-32 is known", () => {
    const body = "0".repeat(43);
    let crc = ~0;
    for (const byte of Buffer.from(body)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
    }
    let sum = "";
    for (let rest = ~crc >>> 0; sum.length < 6; rest = Math.floor(rest / 62)) sum = digits[rest % 62]! + sum;
    expect(parseApiKey(`svc_sk_${body}${sum}`)).toBeDefined();
  });

  it("show every change of one character, and every swap of neighbors", () => {
    const { key } = createApiKey();
    const at = (index: number, text: string): string => key.slice(0, index) + text + key.slice(index + text.length);
    const indices = key.split("").map((_, index) => index);
    const changed = indices.flatMap((index) => `${digits}_ `.split("").map((digit) => at(index, digit)));
    const swapped = indices.slice(prefixLength, -1).map((index) => at(index, key[index + 1]! + key[index]!));
    const others = [...changed, ...swapped].filter((text) => text !== key);
    expect(others.length).toBeGreaterThan(56 * 62);
    expect(others.filter((text) => parseApiKey(text) !== undefined)).toEqual([]);
  });

  it("show swaps at a distance, cuts and additions", () => {
    const index = fc.integer({ min: prefixLength, max: 55 });
    fc.assert(
      fc.property(index, index, fc.string({ minLength: 1, maxLength: 5 }), (left, right, more) => {
        const { key } = createApiKey();
        const letters = key.split("");
        [letters[left], letters[right]] = [letters[right]!, letters[left]!];
        const swapped = letters.join("");
        expect(parseApiKey(swapped) === undefined).toBe(swapped !== key);
        for (const text of [key + more, more + key, key.slice(0, left)]) expect(parseApiKey(text)).toBeUndefined();
      }),
    );
  });

  it("are nothing that a stranger makes up", () => {
    fc.assert(fc.property(fc.string(), (text) => parseApiKey(text) === undefined));
    const body = fc.string({ unit: fc.constantFrom(...digits.split("")), minLength: 49, maxLength: 49 });
    fc.assert(fc.property(body, (text) => parseApiKey(`svc_sk_${text}`) === undefined));
    expect(parseApiKey(`${createApiKey().key}\n`)).toBeUndefined();
  });
});

describe("ids", () => {
  it("have their prefix and 16 digits, which are about equally frequent", () => {
    const newId = createNewId();
    const ids = Array.from({ length: 5_000 }, () => newId("acc"));
    for (const id of ids) expect(id).toMatch(/^acc_[0-9A-Za-z]{16}$/);
    expect(new Set(ids).size).toBe(ids.length);
    const counts = new Map<string, number>();
    for (const digit of ids.flatMap((id) => id.slice(4).split(""))) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    const expected = (5_000 * 16) / digits.length;
    const chiSquare = digits
      .split("")
      .reduce((sum, digit) => sum + ((counts.get(digit) ?? 0) - expected) ** 2 / expected, 0);
    // 61 degrees of freedom: 140 is passed by a fair draw once in ten million; the bias of a plain remainder gives over 300.
    expect(chiSquare).toBeLessThan(140);
  });
});
