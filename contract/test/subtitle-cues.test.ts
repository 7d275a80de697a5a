import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { subtitleCues, type Speech } from "../src/subtitles/subtitle-cues.ts";

const linesOf = (...speech: readonly Speech[]): string[][] => subtitleCues(speech).map(({ lines }) => [...lines]);

describe("what is too long for one line", () => {
  test("is broken at sentences and clauses before words", () => {
    expect(linesOf({ start: 0, end: 6, text: "Not at all, he said to her. He was in a hurry and ran." })).toEqual([
      ["Not at all, he said to her.", "He was in a hurry and ran."],
    ]);
    expect(linesOf({ start: 0, end: 6, text: "If you have no flour at home today, use some oats instead." })).toEqual([
      ["If you have no flour at home today,", "use some oats instead."],
    ]);
  });

  test("ends no sentence at a title or an initial", () => {
    expect(linesOf({ start: 0, end: 6, text: "They asked for the opinion of Mr. Dashwood and J. Smith." })).toEqual([
      ["They asked for the opinion", "of Mr. Dashwood and J. Smith."],
    ]);
  });

  test("becomes several cues, which share the time by their length", () => {
    const text =
      "He was not an ill-disposed young man, unless to be rather selfish is to be so. Had he married a more amiable woman, he might have been made still more respectable.";
    const cues = subtitleCues([{ start: 10, end: 20, text }]);
    expect(cues.map(({ lines }) => lines)).toEqual([
      ["He was not an ill-disposed young man,", "unless to be rather selfish is to be so."],
      ["Had he married a more amiable woman,"],
      ["he might have been made", "still more respectable."],
    ]);
    const lengths = cues.map(({ lines }) => lines.join(" ").length);
    const whole = lengths.reduce((sum, length) => sum + length);
    let said = 0;
    for (const [index, { from, to }] of cues.entries()) {
      expect(from).toBe(Math.round(10_000 + (10_000 * said) / whole));
      said += lengths[index]!;
      expect(to).toBe(Math.round(10_000 + (10_000 * said) / whole));
    }
  });

  test("keeps marks with their words", () => {
    const lines = linesOf({
      start: 0,
      end: 5,
      text: "Et alors elle m'a dit avec un grand sourire : « Ça marche du premier coup ! »",
    }).flat();
    expect(lines.join(" ")).toContain("« Ça marche");
    for (const line of lines) {
      expect(line).not.toMatch(/^[!:»]/);
      expect(line).not.toMatch(/«$/);
    }
  });
});

test.each([
  [
    "ja",
    16,
    "今日はとても天気がいいので、友だちと一緒に公園へ行って、サンドイッチを食べました。「また来ようね！」と彼女は言いました。",
  ],
  ["th", 42, "วันนี้อากาศดีมากเราจึงไปเดินเล่นที่สวนสาธารณะกับเพื่อนและกินข้าวกลางวันด้วยกันอย่างมีความสุข"],
  ["zh", 16, "今天天气很好，所以我们和朋友一起去公园散步，还吃了三明治，然后高高兴兴地回家了。"],
])("%s, written without spaces, has lines of at most %i letters", (_, most, text) => {
  const lines = linesOf({ start: 0, end: 12, text }).flat();
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join("")).toBe(text);
  for (const line of lines) {
    expect([...new Intl.Segmenter("und").segment(line)].length).toBeLessThanOrEqual(most);
    expect(line).not.toMatch(/^[、。！，」]|「$/);
  }
});

test("text from right to left stays as it is", () => {
  const text = "السلام عليكم ورحمة الله. مرحبا بكم. اليوم سوف نتكلم عن القهوة العربية.";
  expect(linesOf({ start: 0, end: 6, text })).toEqual([
    ["السلام عليكم ورحمة الله. مرحبا بكم.", "اليوم سوف نتكلم عن القهوة العربية."],
  ]);
});

describe("what is said quickly", () => {
  test("is shown together, or for longer when nothing follows", () => {
    expect(
      subtitleCues([
        { start: 1, end: 1.3, text: "Yes." },
        { start: 1.4, end: 1.8, text: "No." },
        { start: 5, end: 5.2, text: "Bye." },
      ]),
    ).toEqual([
      { from: 1_000, to: 2_000, lines: ["Yes. No."] },
      { from: 5_000, to: 6_000, lines: ["Bye."] },
    ]);
  });

  test("never runs into what is said next", () => {
    const cues = subtitleCues([
      { start: 0, end: 9, text: "One." },
      { start: 1.5, end: 2, text: "Two." },
    ]);
    expect(cues.map(({ from, to }) => [from, to])).toEqual([
      [0, 1_500],
      [1_500, 2_500],
    ]);
  });
});

describe("whatever is said and whenever", () => {
  const letters = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "é", "ज़ि", "न", "م", "ש", "👍🏽", "1");
  const word = fc
    .tuple(fc.array(letters, { minLength: 1, maxLength: 14 }), fc.constantFrom("", "", "", ",", ".", "?", ":", "»"))
    .map(([parts, mark]) => parts.join("") + mark);
  const text = fc
    .array(fc.tuple(word, fc.constantFrom(" ", " ", "  ", "\n", "\t")), { maxLength: 60 })
    .map((words) => words.flat().join(""));
  const seconds = fc.double({ min: 0, max: 300, noNaN: true });
  const anySpeech = fc.array(fc.record({ start: seconds, end: seconds, text }), { maxLength: 12 });
  const anything = fc.array(fc.record({ start: seconds, end: seconds, text: fc.string({ unit: "binary" }) }), {
    maxLength: 8,
  });
  const wordsOf = (texts: readonly string[]) =>
    texts
      .join(" ")
      .split(/[\s\p{Cc}]+/u)
      .filter(Boolean);
  const inOrder = (speech: readonly Speech[]) =>
    speech
      .toSorted((left, right) => Math.round(left.start * 1_000) - Math.round(right.start * 1_000))
      .map((each) => each.text);
  const columns = (line: string): number =>
    [...new Intl.Segmenter("und").segment(line)].reduce(
      (sum, { segment }) => sum + (segment === "👍🏽" ? 42 / 16 : 1),
      0,
    );

  test("the words are the same, in lines that fit", () => {
    fc.assert(
      fc.property(anySpeech, (speech) => {
        const cues = subtitleCues(speech);
        const lines = cues.flatMap((cue) => cue.lines);
        expect(wordsOf(lines)).toEqual(wordsOf(inOrder(speech)));
        for (const cue of cues) expect([1, 2]).toContain(cue.lines.length);
        for (const line of lines) if (line.includes(" ")) expect(columns(line)).toBeLessThanOrEqual(42);
      }),
      { numRuns: 300 },
    );
  });

  test("not a letter is lost, of any text", () => {
    const bare = (texts: readonly string[]) => texts.join("").replace(/[\s\p{Cc}]+/gu, "");
    fc.assert(
      fc.property(anything, (speech) => {
        expect(bare(subtitleCues(speech).flatMap((cue) => cue.lines))).toBe(bare(inOrder(speech)));
      }),
      { numRuns: 300 },
    );
  });

  test("times increase, follow their speech, and last a second if possible", () => {
    fc.assert(
      fc.property(anySpeech, (speech) => {
        const cues = subtitleCues(speech);
        const starts = new Set(speech.map(({ start }) => Math.round(start * 1_000)));
        for (const [index, { from, to }] of cues.entries()) {
          expect(to).toBeGreaterThan(from);
          expect(from).toBeGreaterThanOrEqual(cues[index - 1]?.to ?? 0);
          if (from !== cues[index - 1]?.to) expect(starts).toContain(from);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a stretch of speech divides its own time into readable pieces", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 60 }), (said, start, length) => {
        const cues = subtitleCues([{ start, end: start + length, text: said }]);
        if (cues.length === 0) return;
        expect(cues[0]!.from).toBe(start * 1_000);
        expect(cues.at(-1)!.to).toBe((start + Math.max(length, cues.length)) * 1_000);
        for (const { from, to } of cues) expect(to - from).toBeGreaterThanOrEqual(999);
      }),
      { numRuns: 300 },
    );
  });
});
