import { describe, expect, test } from "vitest";
import { countWords, titleOf } from "../../src/pages/library/script/script-words.ts";
import { cardWords, segmentAt } from "../../src/pages/library/script/script-moments.ts";
import { shownWords } from "../../src/pages/library/script-row.tsx";

describe("the title of a script", () => {
  test.each([
    ["Your hook is not the first sentence. It is the first thing.", "Your hook is not the first sentence"],
    ["Hi. And Mr. John Dashwood had leisure. More.", "Hi. And Mr. John Dashwood had leisure"],
    ["Is this it, or is it not? Yes.", "Is this it, or is it not?"],
    ["पहली लाइन ही आपका hook है। अगर वही", "पहली लाइन ही आपका hook है"],
    ["", ""],
    ["  one   line\nwithout end ", "one line without end"],
    ["Version 2.5 of it is out now. Get it.", "Version 2.5 of it is out now"],
  ])("of %j", (transcript, title) => {
    expect(titleOf(transcript)).toBe(title);
  });

  test("of a long sentence ends at a word, and never within a character", () => {
    const title = titleOf("word, ".repeat(40));
    expect(title).toMatch(/word…$/);
    expect(title.length).toBeLessThan(80);
    expect(titleOf("😀".repeat(100))).toMatch(/^(😀)+…$/u);
  });
});

test("words are counted as the language has them", () => {
  expect(countWords("One, two — three…")).toBe(3);
  expect(countWords("पहली लाइन ही")).toBe(3);
  expect(countWords("")).toBe(0);
});

describe("the segment at a second", () => {
  const segments = [0, 2.04, 7.5].map((start, index) => ({ start, text: `part ${index}` }));
  test.each([
    [undefined, undefined],
    [0, 0],
    [2, 1],
    [2.04, 1],
    [7.4, 2],
    [6, 1],
    [999, 2],
  ])("%j is %j", (second, index) => {
    expect(segmentAt(segments, second)).toBe(index);
  });

  test("is none where there are none", () => {
    expect(segmentAt([], 3)).toBeUndefined();
  });

  test("stands on the card between what was and what comes", () => {
    expect(cardWords(segments, 1)).toEqual({ before: "part 0", now: "part 1", after: "part 2" });
    expect(cardWords([], 0)).toEqual({ before: "", now: "", after: "" });
  });
});

describe("the words of a row", () => {
  const script = {
    id: "scr_1",
    reelUrl: "https://platform.example/reel/x/",
    transcript: "One two three. Four hooks here.",
  };
  const snippet = [
    { text: "Four ", hit: false },
    { text: "hooks", hit: true },
    { text: " here.", hit: false },
  ];

  test("are the piece with the hit, and where it is", () => {
    expect(shownWords({ ...script, snippet, at: 3 })).toEqual({
      parts: snippet,
      cutBefore: true,
      from: "transcript",
      hit: 20 / 31,
    });
  });

  test("may be of the caption", () => {
    expect(
      shownWords({ ...script, caption: "Six phones", snippet: [{ text: "Six phones", hit: true }] }),
    ).toMatchObject({
      from: "caption",
      cutBefore: false,
    });
    expect(shownWords({ ...script, transcript: "", caption: "Rain" })).toMatchObject({ from: "caption" });
  });

  test("are none where nothing is said or written", () => {
    expect(shownWords({ ...script, transcript: "" })).toMatchObject({ from: "nothing", parts: [] });
  });
});
