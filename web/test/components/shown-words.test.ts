import { beginningOf } from "@reelscript/contract/values";
import { describe, expect, test } from "vitest";
import { cardWords, segmentAt } from "../../src/pages/library/script/script-moments.ts";
import { shownWords } from "../../src/components/shown-words.ts";

describe("the title of a script", () => {
  test.each([
    ["Your hook is not the first sentence. It is the first thing.", "Your hook is not the first sentence"],
    ["Hi. And Mr. John Dashwood had leisure. More.", "Hi. And Mr. John Dashwood had leisure"],
    ["It's a test. Then more of it follows.", "It's a test"],
    ["Is this it, or is it not? Yes.", "Is this it, or is it not?"],
    ["पहली लाइन ही आपका hook है। अगर वही", "पहली लाइन ही आपका hook है"],
    ["", ""],
    ["  one   line\nwithout end ", "one line without end"],
    ["Version 2.5 of it is out now. Get it.", "Version 2.5 of it is out now"],
  ])("of %j", (transcript, title) => {
    expect(beginningOf(transcript)).toBe(title);
  });

  test("of a long sentence ends at a word, never inside characters", () => {
    const title = beginningOf("word, ".repeat(40));
    expect(title).toMatch(/word…$/);
    expect(title.length).toBeLessThan(80);
    expect(beginningOf("😀".repeat(100))).toMatch(/^(😀)+…$/u);
  });
});

test("the segment at a second has begun, between past and coming ones", () => {
  const segments = [0, 2.04, 7.5].map((start, index) => ({ start, text: `part ${index}` }));
  expect([undefined, 0, 2, 2.04, 7.4, 6, 999].map((second) => segmentAt(segments, second))).toEqual([
    undefined,
    0,
    1,
    1,
    2,
    1,
    2,
  ]);
  expect(segmentAt([], 3)).toBeUndefined();
  expect(cardWords(segments, 1)).toEqual({ before: "part 0", now: "part 1", after: "part 2" });
});

test("a row shows the hit's passage and position, else the written text", () => {
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
  expect(shownWords({ ...script, snippet, at: 3 })).toEqual({
    parts: snippet,
    cutBefore: true,
    from: "transcript",
    hit: 20 / 31,
  });
  const inCaption = { ...script, caption: "Six phones", snippet: [{ text: "Six phones", hit: true }] };
  expect(shownWords(inCaption)).toMatchObject({ from: "caption", cutBefore: false });
  expect(shownWords({ ...script, transcript: "", caption: "Rain" })).toMatchObject({ from: "caption" });
  expect(shownWords({ ...script, transcript: "" })).toMatchObject({ from: "nothing", parts: [] });
});
