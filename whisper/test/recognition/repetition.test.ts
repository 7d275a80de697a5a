import { describe, expect, test } from "vitest";
import { compressionRatio, endsInLoop } from "../../src/recognition/repetition.ts";

const repeat = (phrase: readonly number[], times: number) => Array.from({ length: times }, () => phrase).flat();

describe("a loop", () => {
  test("is a short phrase five times over 20 tokens or more", () => {
    expect(endsInLoop([9, 8, ...repeat([1, 2, 3, 4], 5)])).toBe(true);
    expect(endsInLoop(repeat([7], 20))).toBe(true);
    expect(endsInLoop(repeat([7], 19))).toBe(false);
    expect(endsInLoop(repeat([1, 2, 3, 4, 5], 4))).toBe(false);
  });

  test("is a longer phrase three times over 60 tokens or more", () => {
    const phrase = Array.from({ length: 20 }, (_, index) => index);
    expect(endsInLoop(repeat(phrase, 3))).toBe(true);
    expect(endsInLoop(repeat(phrase, 2))).toBe(false);
  });

  test("that ended is none", () => {
    expect(endsInLoop([...repeat([7], 30), 1, 2, 3])).toBe(false);
  });
});

describe("compression", () => {
  test("is high for repeated text only", () => {
    expect(compressionRatio("la la ".repeat(40))).toBeGreaterThan(2.4);
    expect(
      compressionRatio("Mr. Quilter is the apostle of the middle classes, and we are glad to welcome his gospel."),
    ).toBeLessThan(1.5);
    expect(compressionRatio(" ")).toBe(0);
  });

  test("does not depend on how many bytes a letter takes", () => {
    const hindi = "उन्होंने बताया कि सरकारी नौकरियों में अनाथ बच्चों को पाँच प्रतिशत आरक्षण देने का फैसला लिया गया है";
    expect(compressionRatio(hindi)).toBeLessThan(2);
    expect(compressionRatio("हाँ जी ".repeat(40))).toBeGreaterThan(2.4);
  });
});
