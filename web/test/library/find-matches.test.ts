import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findMatches, markedPartsOf } from "../../src/pages/library/script/find-matches.ts";

const matchTexts = (texts: readonly string[], query: string): string[] =>
  findMatches(texts, query).map(({ text, start, end }) => texts[text]!.slice(start, end));

describe("finding in a script", () => {
  test.each([
    [["Your hook is not the first sentence."], "FIRST sentence", ["first sentence"]],
    [["Le café est là.", "Un cafe\u0301 ?"], "cafe", ["café", "cafe\u0301"]],
    [["naïve"], "ï", ["ï"]],
    [["الـ hook هو أول ثانيتين"], "اول", ["أول"]],
    [["مُحَمَّد"], "محمد", ["مُحَمَّد"]],
    [["पहली लाइन ही आपका hook है।"], "लाइन", ["लाइन"]],
    [["Don’t stop"], "don't", ["Don’t"]],
    [["ﬁne words"], "fine", ["ﬁne"]],
    [["a.b (c)"], "(c)", ["(c)"]],
    [["aaaa"], "aa", ["aa", "aa"]],
    [["anything"], "   ", []],
    [["anything"], '""', []],
    [["a b"], "a \u0301", ["a"]],
    [["An open door. Open-source, or open source."], "“open source”", ["Open-source", "open source"]],
    [["An open door. Open source."], "”open source“", ["Open source"]],
    [["An open door. Open source."], "❝open source❞", ["Open source"]],
    [["An open door. Open source."], "›open source‹", ["Open source"]],
    [["An open door. Open source."], "『open source』", ["Open source"]],
    [["An open door. Open source."], "«source open»", []],
    [["An open door, reopen doors."], "‘open door’", ["open door"]],
    [["Don’t stop, don’t go"], "‘don’t go’", ["don’t go"]],
    [["Bread, open source, a breadknife"], '"open source" bread', ["Bread", "open source", "bread"]],
  ])("in %j for %j", (texts, query, expected) => {
    expect(matchTexts(texts, query)).toEqual(expected);
  });

  test("falls back to words, as prefixes only, if the whole is missing", () => {
    const texts = ["The knife is in the bread.", "Bread needs a sharp knife; a penknife will not do."];
    expect(matchTexts(texts, "bread knife")).toEqual(["knife", "bread", "Bread", "knife"]);
    expect(matchTexts(["والقهوة", "القهوة باردة"], "قهوة باردة جدا")).toEqual(["قهوة", "قهوة", "باردة"]);
  });

  test("never breaks or loses a text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme", maxLength: 4 }), (text, query) => {
        const matches = findMatches([text], query);
        expect(
          markedPartsOf(text, matches)
            .map((part) => part.text)
            .join(""),
        ).toBe(text);
        for (const { start, end } of matches) expect(end).toBeGreaterThan(start);
      }),
    );
  });
});
