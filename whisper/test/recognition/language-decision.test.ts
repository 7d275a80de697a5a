import { describe, expect, test } from "vitest";
import { decideLanguage, meanLanguageProbabilities } from "../../src/recognition/language-decision.ts";

const decide = (probabilities: Record<string, number>, hint?: string, specialized: readonly string[] = []) =>
  decideLanguage(meanLanguageProbabilities([new Map(Object.entries(probabilities))]), hint, (language) =>
    specialized.includes(language),
  );

describe("without a hint", () => {
  test("the likeliest supported language is taken", () => {
    expect(decide({ en: 0.7, cy: 0.3 })).toMatchObject({ kind: "supported", language: "en", probability: 0.7 });
  });

  test("Malay counts as Indonesian and Urdu as Hindi", () => {
    expect(decide({ ms: 0.6, id: 0.3, jw: 0.1 })).toMatchObject({ kind: "supported", language: "id" });
    expect(decide({ ur: 0.95, pa: 0.05 })).toMatchObject({ kind: "supported", language: "hi" });
  });

  test("the language heard is named when the supported ones have less than half", () => {
    expect(decide({ ja: 0.4, ko: 0.2, en: 0.4 })).toMatchObject({ kind: "unsupported", language: "ja" });
    expect(decide({ ja: 0.3, ko: 0.3, en: 0.4 })).toMatchObject({ kind: "unsupported" });
  });

  test("no language with half of what is supported is uncertain", () => {
    expect(decide({ en: 0.3, de: 0.35, es: 0.35 })).toMatchObject({ kind: "uncertain" });
  });

  test("Hindi, Tamil and Telugu must be heard clearly, unless a model of their own reads them", () => {
    expect(decide({ ta: 0.8, en: 0.2 })).toMatchObject({ kind: "uncertain", language: "ta" });
    expect(decide({ ta: 0.95, en: 0.05 })).toMatchObject({ kind: "supported", language: "ta" });
    expect(decide({ ta: 0.8, en: 0.2 }, undefined, ["ta"])).toMatchObject({ kind: "supported", language: "ta" });
  });
});

describe("with a hint", () => {
  test("it is taken against moderate doubts", () => {
    expect(decide({ en: 0.9, de: 0.1 }, "de")).toMatchObject({ language: "de", hintDecided: true });
    expect(decide({ ja: 0.8, te: 0.2 }, "te")).toMatchObject({ kind: "supported", language: "te", hintDecided: true });
    expect(decide({ ta: 0.8, en: 0.2 }, "ta")).toMatchObject({ language: "ta", hintDecided: true });
  });

  test("it decides nothing where the same language is heard without it", () => {
    expect(decide({ en: 0.7, cy: 0.3 }, "en")).toMatchObject({ language: "en", hintDecided: false });
    expect(decide({ ta: 0.8, en: 0.2 }, "ta", ["ta"])).toMatchObject({ language: "ta", hintDecided: false });
  });

  test("it yields to the language of more than half when it is hardly heard itself", () => {
    expect(decide({ de: 0.81, nl: 0.188, en: 0.002 }, "en")).toMatchObject({ language: "de", hintDecided: false });
    expect(decide({ de: 0.45, nl: 0.548, en: 0.002 }, "en")).toMatchObject({ kind: "unsupported", language: "nl" });
    expect(decide({ de: 0.81, nl: 0.16, en: 0.03 }, "en")).toMatchObject({ language: "en", hintDecided: true });
  });

  test("another language that is heard clearly overrules it", () => {
    expect(decide({ en: 0.95, de: 0.05 }, "de")).toMatchObject({
      kind: "supported",
      language: "en",
      hintDecided: false,
    });
    expect(decide({ ja: 0.95, de: 0.05 }, "de")).toMatchObject({ kind: "unsupported", language: "ja" });
  });
});

test("windows count alike", () => {
  const mean = meanLanguageProbabilities([
    new Map([
      ["en", 0.8],
      ["de", 0.2],
    ]),
    new Map([["de", 1]]),
  ]);
  expect(mean.get("de")).toBeCloseTo(0.6);
});
