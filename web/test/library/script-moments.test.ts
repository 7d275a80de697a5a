import { expect, test } from "vitest";
import { scriptPieces, linePartsOf, findMatches } from "../../src/pages/library/script/find-matches.ts";
import { changedLetters } from "../../src/pages/library/script/correction/changed-letters.ts";
import { paragraphsOf } from "../../src/pages/library/script/paragraphs.ts";
import { momentBefore, momentsOf, secondOf, momentAsked } from "../../src/pages/library/script/script-moments.ts";

const segments = [
  { start: 0, end: 2, text: " No salt, no bread." },
  { start: 5, end: 7, text: "No bread, no salt. " },
];
const transcript = "No salt, no bread. No bread, no salt.";
const words = transcript
  .split(/(?= )/)
  .map((text, index) => ({ text, start: index * 0.5 + (index < 4 ? 0 : 3), end: 9 }));

const momentOf = (script: Parameters<typeof momentsOf>[0]) => {
  const moments = momentsOf(script);
  return (line: number, offset: number) => secondOf(moments.words[line], offset);
};

test("an offset in a line is said when its word is", () => {
  const said = momentOf({ segments, words });
  expect([0, 3, 7, 9, 12].map((start) => said(0, start))).toEqual([0, 0.5, 0.5, 1, 1.5]);
  expect([0, 3, 14].map((start) => said(1, start))).toEqual([5, 5.5, 6.5]);
  expect(said(2, 0)).toBeUndefined();
  expect(momentOf({ segments })(0, 0)).toBeUndefined();
  expect(momentOf({ segments: [{ start: 0, end: 1, text: "not said" }], words })(0, 0)).toBeUndefined();
});

test("words have no leading space, and those the recognizer doubted are unsure", () => {
  const doubtful = words.map((word, index) => ({ ...word, probability: index === 1 ? 0.39 : 0.4 }));
  const [line] = momentsOf({ segments, words: doubtful }).words;
  expect(line?.map(({ start, end }) => segments[0]!.text.trim().slice(start, end))).toEqual([
    "No",
    "salt,",
    "no",
    "bread.",
  ]);
  expect(line?.map(({ isUnsure }) => isUnsure)).toEqual([false, true, false, false]);
});

test("the moment at a second is the last word or line begun", () => {
  const moments = momentsOf({ segments, words });
  expect([0, 0.49, 0.5, 4.9, 6.6, 99].map((second) => momentBefore(moments, second))).toEqual([
    { at: 0, line: 0, word: 0 },
    { at: 0, line: 0, word: 0 },
    { at: 0.5, line: 0, word: 1 },
    { at: 1.5, line: 0, word: 3 },
    { at: 6.5, line: 1, word: 3 },
    { at: 6.5, line: 1, word: 3 },
  ]);
  expect(momentBefore(momentsOf({ segments }), 6)).toEqual({ at: 5, line: 1 });
  expect(momentBefore(momentsOf({ segments: [] }), 6)).toBeUndefined();
});

test("a search result starts at its word, other links at their second", () => {
  const moments = momentsOf({ segments, words });
  const at = (t: number, query?: string) => momentAsked({ segments }, moments, { t, query })?.at;
  expect([at(5, "salt"), at(5, "butter"), at(5), at(6.25, "salt"), at(4.8, "salt")]).toEqual([6.5, 5, 5, 6.25, 6.5]);
});

test("a comparison marks changed letters, or whole words if too different", () => {
  const marked = (original: string, text: string) =>
    changedLetters(original, text)
      .map(({ kind, text: said }) => (kind === "same" ? said : kind === "removed" ? `[-${said}-]` : `[+${said}+]`))
      .join("");
  expect(marked("The east rises slowly.", "The yeast rises.")).toBe("The [+y+]east rises[- slowly-].");
  expect(marked("Call Astorisk now", "Call Asterisk now")).toBe("Call Ast[-o-][+e+]risk now");
  expect(marked("He is here", "She was here")).toBe("[-He-] [+She+] [-is-] [+was+] here");
  expect(marked("नमस्ते दोस्तों", "नमस्ते दोस्तो")).toBe("नमस्ते [-दोस्तों-] [+दोस्तो+]");
  expect(marked("same", "same")).toBe("same");
  expect(marked("gone", "")).toBe("[-gone-]");
  const long = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(" ");
  expect(changedLetters(long, long.replaceAll("word", "term")).length, "a bound on the work").toBeLessThan(5);
});

test("lines form paragraphs that end at pauses, gaps, and long runs", () => {
  const line = (start: number, text: string, end = start + 1) => ({ start, end, text });
  const blocksOf = (lines: readonly ReturnType<typeof line>[], gaps: readonly { readonly start: number }[] = []) =>
    paragraphsOf(lines, gaps).map((block) =>
      "gap" in block ? "gap" : block.lines.map(({ line: number }) => number).join(" "),
    );
  expect(blocksOf([line(0, "One."), line(1.5, "Two."), line(4, "Three.")]), "a pause after a sentence").toEqual([
    "0 1",
    "2",
  ]);
  expect(blocksOf([line(0, "One,"), line(2.5, "and two.")]), "a breath within one").toEqual(["0 1"]);
  expect(blocksOf([line(0, "One,"), line(4, "and two.")]), "silence").toEqual(["0", "1"]);
  expect(blocksOf([line(0, "नमस्ते।"), line(2.1, "फिर")]), "another end of a sentence").toEqual(["0", "1"]);
  expect(blocksOf([line(0, "One."), line(1, "Two.")], [{ start: 0.5 }])).toEqual(["0", "gap", "1"]);
  const breathless = Array.from({ length: 30 }, (_, index) => line(index, `${"word ".repeat(9)}word.`));
  expect(blocksOf(breathless).length, "no endless paragraph").toBeGreaterThan(2);
  expect(blocksOf([])).toEqual([]);
});

test("a line is cut at what was found and at its words", () => {
  const [lineWords = []] = momentsOf({ segments, words }).words;
  const cut = (query: string) =>
    linePartsOf("No salt, no bread.", findMatches(["No salt, no bread."], query), lineWords).map(
      ({ pieces, match }) => [match !== undefined, pieces.map(({ text, word }) => `${text}${word ?? ""}`)],
    );
  expect(cut("t, n")).toEqual([
    [false, ["No0", " ", "sal1"]],
    [true, ["t,1", " ", "n2"]],
    [false, ["o2", " ", "bread.3"]],
  ]);
});

test("gaps are between the segments that are said before and after them", () => {
  const gaps = [
    { start: 8, end: 9 },
    { start: 2.5, end: 5 },
  ];
  expect(scriptPieces(segments, gaps)).toEqual([
    { segment: segments[0], line: 0 },
    { gap: gaps[1] },
    { segment: segments[1], line: 1 },
    { gap: gaps[0] },
  ]);
});
