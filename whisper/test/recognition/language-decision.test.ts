import { describe, expect, test } from "vitest";
import { decideLanguage, meanLanguageProbabilities } from "../../src/recognition/language-decision.ts";

interface Given {
  readonly hint?: string;
  /** Languages that have a model of their own. */
  readonly specialized?: readonly string[];
  /** Languages that a head reads. */
  readonly headed?: readonly string[];
  readonly unreliable?: readonly string[];
  readonly seconds?: number;
}

function decide(
  probabilities: Record<string, number>,
  { hint, specialized = [], headed = [], unreliable = [], seconds = 30 }: Given = {},
) {
  const languages = { probabilities: meanLanguageProbabilities([new Map(Object.entries(probabilities))]), seconds };
  return decideLanguage(languages, hint, {
    isSpecialized: (language) => specialized.includes(language),
    headDetection: (language) =>
      headed.includes(language) ? { with: ["ur"], least: 0.5, leastWithHint: 0.2 } : undefined,
    isUnreliable: (language) => unreliable.includes(language),
  });
}

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
    expect(decide({ ta: 0.8, en: 0.2 }, { specialized: ["ta"] })).toMatchObject({ kind: "supported", language: "ta" });
  });
});

describe("a language that a head reads", () => {
  const headed = ["hi"];

  test("needs half together with the one that sounds the same, and leads it", () => {
    expect(decide({ hi: 0.3, ur: 0.21, pa: 0.4 }, { headed })).toMatchObject({ kind: "supported", language: "hi" });
    expect(decide({ hi: 0.3, ur: 0.19, pa: 0.51 }, { headed })).toMatchObject({ kind: "unsupported", language: "pa" });
    expect(decide({ hi: 0.3, ur: 0.19, en: 0.25 }, { headed })).toMatchObject({ kind: "uncertain", language: "hi" });
    expect(decide({ hi: 0.4, ur: 0.55 }, { headed })).toMatchObject({ kind: "unsupported", language: "ur" });
  });

  test.each(["mr", "pa", "ne", "bn", "ur"])("%s beside it is refused by its name", (language) => {
    expect(decide({ [language]: 0.6, hi: 0.3 }, { headed })).toMatchObject({ kind: "unsupported", language });
  });

  test("needs less where a hint names it, and yields where it is hardly heard", () => {
    expect(decide({ hi: 0.1, ur: 0.11, pa: 0.79 }, { headed, hint: "hi" })).toMatchObject({
      kind: "supported",
      language: "hi",
      hintDecided: true,
    });
    expect(decide({ hi: 0.05, ur: 0.9 }, { headed, hint: "hi" })).toMatchObject({ language: "hi", hintDecided: true });
    expect(decide({ hi: 0.6, ur: 0.3 }, { headed, hint: "hi" })).toMatchObject({ language: "hi", hintDecided: false });
    expect(decide({ hi: 0.1, ur: 0.09, pa: 0.81 }, { headed, hint: "hi" })).toMatchObject({ language: "pa" });
    expect(decide({ hi: 0.1, en: 0.85 }, { headed, hint: "hi" })).toMatchObject({ kind: "supported", language: "en" });
  });

  test("leaves the decision about all others as it was", () => {
    const all: Record<string, number>[] = [
      { en: 0.7, hi: 0.3 },
      { es: 0.6, pt: 0.4 },
      { ta: 0.96, hi: 0.02 },
      { ja: 0.4, en: 0.3 },
    ];
    for (const probabilities of all) expect(decide(probabilities, { headed })).toEqual(decide(probabilities));
  });
});

describe("an unreliable language", () => {
  const unreliable = ["ta", "ar"];

  test("is refused unless a hint names it", () => {
    expect(decide({ ar: 0.95 }, { unreliable })).toMatchObject({ kind: "unreliable", language: "ar" });
    expect(decide({ ta: 0.7 }, { unreliable })).toMatchObject({ kind: "unreliable", language: "ta" });
    expect(decide({ ar: 0.95 }, { unreliable, hint: "ar" })).toMatchObject({
      kind: "supported",
      language: "ar",
      hintDecided: true,
    });
    expect(decide({ ar: 0.95 }, { unreliable, hint: "en" })).toMatchObject({ kind: "unreliable", language: "ar" });
  });
});

describe("a few seconds of speech", () => {
  const seconds = 4;

  test("that sound like a neighbor of Tamil or Indonesian are it, unless Telugu leads", () => {
    expect(decide({ ml: 0.6, ta: 0.25, te: 0.1 }, { seconds })).toMatchObject({ kind: "supported", language: "ta" });
    expect(decide({ te: 0.5, ml: 0.4, ta: 0.08 }, { seconds })).toMatchObject({ kind: "supported", language: "te" });
    expect(decide({ jw: 0.5, ms: 0.2, id: 0.2 }, { seconds })).toMatchObject({ kind: "supported", language: "id" });
    expect(decide({ fa: 0.6, ar: 0.3 }, { seconds })).toMatchObject({ kind: "unsupported", language: "fa" });
  });

  test("are what a hint says where it fits into the group", () => {
    expect(decide({ ml: 0.95, ta: 0.01 }, { seconds, hint: "ta" })).toMatchObject({ language: "ta" });
    expect(decide({ ml: 0.95, ta: 0.01 }, { seconds, hint: "te" })).toMatchObject({ language: "te" });
    expect(decide({ ml: 0.95, ta: 0.01 }, { seconds, hint: "id" })).toMatchObject({ language: "ta" });
  });

  test("are what they were where more is said", () => {
    expect(decide({ ml: 0.6, ta: 0.25, te: 0.1 })).toMatchObject({ kind: "unsupported", language: "ml" });
    expect(decide({ jw: 0.9, id: 0.1 })).toMatchObject({ kind: "unsupported", language: "jw" });
  });
});

describe("with a hint", () => {
  test("it is taken against moderate doubts", () => {
    expect(decide({ en: 0.9, de: 0.1 }, { hint: "de" })).toMatchObject({ language: "de", hintDecided: true });
    expect(decide({ ja: 0.8, te: 0.2 }, { hint: "te" })).toMatchObject({
      kind: "supported",
      language: "te",
      hintDecided: true,
    });
    expect(decide({ ta: 0.8, en: 0.2 }, { hint: "ta" })).toMatchObject({ language: "ta", hintDecided: true });
  });

  test("it decides nothing where the same language is heard without it", () => {
    expect(decide({ en: 0.7, cy: 0.3 }, { hint: "en" })).toMatchObject({ language: "en", hintDecided: false });
    expect(decide({ ta: 0.8, en: 0.2 }, { hint: "ta", specialized: ["ta"] })).toMatchObject({
      language: "ta",
      hintDecided: false,
    });
  });

  test("it yields to the language of more than half when it is hardly heard itself", () => {
    expect(decide({ de: 0.81, nl: 0.188, en: 0.002 }, { hint: "en" })).toMatchObject({
      language: "de",
      hintDecided: false,
    });
    expect(decide({ de: 0.45, nl: 0.548, en: 0.002 }, { hint: "en" })).toMatchObject({
      kind: "unsupported",
      language: "nl",
    });
    expect(decide({ de: 0.81, nl: 0.16, en: 0.03 }, { hint: "en" })).toMatchObject({
      language: "en",
      hintDecided: true,
    });
  });

  test("another language that is heard clearly overrules it", () => {
    expect(decide({ en: 0.95, de: 0.05 }, { hint: "de" })).toMatchObject({
      kind: "supported",
      language: "en",
      hintDecided: false,
    });
    expect(decide({ ja: 0.95, de: 0.05 }, { hint: "de" })).toMatchObject({ kind: "unsupported", language: "ja" });
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
