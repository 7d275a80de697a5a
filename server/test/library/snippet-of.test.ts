import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { saidAt } from "../../src/features/library/search-my-scripts.ts";
import { snippetOf, termToFind } from "../../src/features/library/snippet-of.ts";
import { searchTermsOf } from "../../src/search/search-terms.ts";
import { wordSpansOf, wordsOf } from "../../src/search/search-tokens.ts";

const find = (text: string, query: string) => snippetOf(text, searchTermsOf(query).map(termToFind));
/** The hits in brackets. */
const markedSnippet = (text: string, query: string) =>
  find(text, query)
    ?.parts.map((part) => (part.hit ? `[${part.text}]` : part.text))
    .join("");

describe("hits are marked as they are written", () => {
  test.each([
    ["Don’t skip the WARM-UP: it’s vital!", "warm-up", "Don’t skip the [WARM]-[UP]: it’s vital!"],
    ["Don’t skip the WARM-UP", "don't", "[Don]’[t] skip the WARM-UP"],
    ["El corazón de la mañana.", "CORAZON", "El [corazón] de la mañana."],
    ["El corazo\u0301n de la man\u0303ana.", "manana corazon", "El [corazo\u0301n] de la [man\u0303ana]."],
    ["Un œuf, s’il vous plaît; cœur", "oeuf coeur", "Un [œuf], s’il vous plaît; [cœur]"],
    ["Elle l'aime, l'université", "universite", "Elle l'aime, l'[université]"],
    ["Die Füße im Fluß", "fusse fluss", "Die [Füße] im [Fluß]"],
    ["Die Füße im Fluß", "FÜSSE", "Die [Füße] im Fluß"],
    ["ज़िंदगी में मेहनत करो।फिर सफलता", "जिंदगी फिर", "[ज़िंदगी] में मेहनत करो।[फिर] सफलता"],
    ["क्\u200dष १२३", "123 क्ष", "[क्\u200dष] [१२३]"],
    ["الكِتَابُ مفيد جدًا والمُعَلِّم كتب", "كتاب معلم", "[الكِتَابُ] مفيد جدًا [والمُعَلِّم] كتب"],
    ["مـــرحبا بكم", "مرحبا", "[مـــرحبا] بكم"],
    ["நண்பர்களே, இன்று நாம்", "இன்", "நண்பர்களே, [இன்று] நாம்"],
    ["మిత్రులారా, ఈ రోజు", "ఈ రోజు", "మిత్రులారా, [ఈ] [రోజు]"],
    ["今日は天気がいい", "天気", "今日は[天気]がいい"],
    ["ﬁne ﬁsh ½ kg", "fish fine", "[ﬁne] [ﬁsh] ½ kg"],
    ["<mark>hook</mark> & more", "hook", "<mark>[hook]</mark> & more"],
    ["👍🏽 hook 👍🏽", "hook", "👍🏽 [hook] 👍🏽"],
    ["first, then second; then third", '"then third"', "first, then second; [then third]"],
    ["motivated people", "motiv", "[motivated] people"],
    ["motivated people", "mot people", "motivated [people]"],
    ["Your landlord met two landlords.", "landlords met", "Your landlord [met] two [landlords]."],
    ["Your landlord called.", "landlords", "Your [landlord] called."],
    ["Open the door of open source.", "“open source”", "Open the door of [open source]."],
    ["C or C++, C# too; $100, 50% 🔥 & .NET", "c++ ", "C or [C++], C# too; $100, 50% 🔥 & .NET"],
    [
      "C or C++, C# too; $100, 50% 🔥 & .NET",
      '"c#" $100 50% .net & 🔥',
      "C or C++, [C#] too; [$100], [50%] [🔥] [&] [.NET]",
    ],
    ["A C++ course, and C", '"c++ course"', "A [C++ course], and C"],
    ["Yes 👍🏽", "👍", "Yes [👍🏽]"],
    ["nothing of it", "hook", undefined],
    ["", "hook", undefined],
  ])("%j with %j", (text, query, expected) => {
    expect(markedSnippet(text, query)).toBe(expected);
  });
});

describe("a snippet of a long text", () => {
  const filler = (name: string) => Array.from({ length: 80 }, (_, index) => `${name}${index}`).join(" ");

  test("is short, ends at words, and shows the densest hits", () => {
    const text = `One hook. ${filler("a")} The second hook, with a story, is better. ${filler("b")}`;
    const snippet = find(text, "story hook");
    const piece = snippet!.parts.map((part) => part.text).join("");
    expect(snippet).toMatchObject({ termCount: 2, at: text.indexOf("hook, with") });
    expect(piece).toMatch(/^a\d+ .* The second hook, with a story, is better\. .* b\d+$/);
    expect(piece.length).toBeLessThanOrEqual(206);
  });

  test("does not take apart what no space divides", () => {
    for (const text of ["x".repeat(100_000), "अ".repeat(100_000), "\u{1F44D}".repeat(50_000), "天気".repeat(20_000)])
      for (const query of ["xx", "अअ", "天気"]) {
        const piece = find(text, query)
          ?.parts.map((part) => part.text)
          .join("");
        expect((piece ?? "").length).toBeLessThanOrEqual(206);
        expect(piece ?? "").not.toMatch(/[\uD800-\uDBFF]$/);
      }
  });
});

describe("any text", () => {
  const letters = fc.constantFrom(
    ...Array.from(
      "aAéÉzß ŒœüÜ1२१٣ हिंदीक्षज़ कَاُبة والكتاب தமிழ் తెలుగు e\u0301 n\u0303 \u200d\u200c\u00ad '’ʼ - . , \n ½ﬁ 今天気 ไทย İıΣς \u{1F44D}\u{1F3FD}",
    ),
  );
  const text = fc.string({ unit: letters, maxLength: 900 });

  test("has its words where they are said to be", () => {
    let mapped = 0;
    fc.assert(
      fc.property(text, (some) => {
        const spans = wordSpansOf(some);
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(some.length);
        }
        mapped += Number(JSON.stringify(spans.map(({ token }) => token)) === JSON.stringify(wordsOf(some)));
      }),
      { numRuns: 500 },
    );
    // Words of scripts without spaces may be divided in another way out of their surroundings.
    expect(mapped).toBeGreaterThan(250);
  });

  test("gives a snippet that it contains verbatim, with matching hits", () => {
    fc.assert(
      fc.property(text, fc.nat(), (some, pick) => {
        const spans = wordSpansOf(some);
        fc.pre(spans.length > 0);
        const { token } = spans[pick % spans.length]!;
        const snippet = find(some, `${token} `);
        if (snippet === undefined) return;
        const piece = snippet.parts.map((part) => part.text).join("");
        expect(some).toContain(piece);
        expect(snippet.termCount).toBeGreaterThan(0);
        const hits = snippet.parts.filter(({ hit }) => hit);
        expect(hits.length).toBeGreaterThan(0);
        expect(some.startsWith(hits[0]!.text, snippet.at)).toBe(true);
        for (const part of snippet.parts) expect(part.text).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });

  test("and any query never fail", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (some, query) => {
        const piece = find(some, query)
          ?.parts.map((part) => part.text)
          .join("");
        expect(some).toContain(piece ?? "");
      }),
      { numRuns: 500 },
    );
  });
});

describe("when it is said", () => {
  const segments = [
    { start: 0, end: 2, text: "One hook." },
    { start: 2.5, end: 4, text: "Another hook," },
    { start: 4.25, end: 6, text: "and a last one." },
  ];
  const transcript = segments.map(({ text }) => text).join(" ");

  test("is the beginning of the segment that holds the offset", () => {
    for (const [offset, seconds] of [
      [0, 0],
      [transcript.indexOf("Another") - 1, 0],
      [transcript.indexOf("Another"), 2.5],
      [transcript.indexOf("hook,"), 2.5],
      [transcript.indexOf("last"), 4.25],
      [transcript.length - 1, 4.25],
    ] as const)
      expect(saidAt(segments, transcript, offset), String(offset)).toBe(seconds);
  });

  test("is unknown without segments", () => expect(saidAt([], "One hook.", 4)).toBeUndefined());
});
