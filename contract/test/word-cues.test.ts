import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { subtitleCues, type Speech, type Stretch } from "../src/subtitles/subtitle-cues.ts";
import { usualRules } from "../src/subtitles/subtitle-rules.ts";
import { readingSpeed } from "../src/subtitles/reading-speed.ts";
import { subRip, webVtt } from "../src/subtitles/subtitles.ts";
import { wordCues } from "../src/subtitles/word-cues.ts";

/** Words said one after another, each as long as given; a number is a pause before the next. */
function say(...said: readonly (string | number)[]): Speech[] {
  let time = 0;
  const words: Speech[] = [];
  for (const one of said)
    if (typeof one === "number") time += one;
    else
      for (const text of one.match(/\s*\S+/gu) ?? []) {
        words.push({
          start: time,
          end: time + 0.4,
          text: words.length === 0 ? text.trim() : text.replace(/^\s*/, " "),
        });
        time += 0.5;
      }
  return words;
}
const rowsOf = (words: readonly Speech[], gaps?: readonly Stretch[]) =>
  wordCues(words, gaps).map(({ from, to, lines }) => [from, to, ...lines]);

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

test.each([
  ["English", "Salt comes first of all, then the flour and the water. After an hour, we shape it and bake it hot."],
  ["Spanish", "Primero la sal, después la harina y el agua; una hora más tarde le damos forma y lo horneamos."],
  ["Hindi", "सबसे पहले नमक आता है, फिर आटा और पानी। एक घंटे बाद हम इसे आकार देते हैं और गरम ओवन में सेंकते हैं।"],
])("lines of %s keep to the rule, and no word is cut or lost", (_language, text) => {
  const words = say(text);
  const spoken = text.split(" ");
  for (const lineLength of [20, 32, 42, 80])
    for (const lines of [1, 2, 3]) {
      const rules = { ...usualRules, lineLength, lines };
      for (const cues of [wordCues(words, [], rules), subtitleCues([{ start: 0, end: 9, text }], [], rules)]) {
        const shownLines = cues.flatMap((cue) => cue.lines);
        expect(
          Math.max(...shownLines.map((line) => [...graphemes.segment(line)].length)),
          `${lineLength}`,
        ).toBeLessThanOrEqual(lineLength);
        expect(Math.max(...cues.map((cue) => cue.lines.length)), `${lineLength}`).toBeLessThanOrEqual(lines);
        expect(shownLines.flatMap((line) => line.split(" "))).toEqual(spoken);
      }
    }
});

describe("cues of words", () => {
  test("end at sentences and pauses, and begin with their first word", () => {
    expect(rowsOf(say("Salt comes first of all.", "Then we bake", 1.5, "the bread."))).toEqual([
      [0, 2_400, "Salt comes first of all."],
      [2_500, 3_900, "Then we bake"],
      [5_500, 6_500, "the bread."],
    ]);
  });

  test("of a long sentence follow its words, not the text's length", () => {
    const slow = say("He was not an ill-disposed young man,", 0.5, "unless to be rather selfish is to be so,", 0.5);
    const cues = wordCues([...slow, ...say("and had he married a more amiable woman, who knows.").map(later(9))]);
    for (const { from, lines } of cues) {
      const first = lines[0]!.split(" ")[0]!;
      expect([...slow, ...say("and had he married a more amiable woman, who knows.").map(later(9))]).toContainEqual(
        expect.objectContaining({ text: expect.stringContaining(first), start: from / 1_000 }),
      );
    }
    expect(cues.length).toBeGreaterThan(1);
  });

  test("that are too short are shown with what follows, or for longer", () => {
    expect(rowsOf([word("No.", 0, 0.2), word(" Yes.", 0.3, 0.6), word(" Bye.", 4, 4.1)])).toEqual([
      [0, 1_000, "No. Yes."],
      [4_000, 5_000, "Bye."],
    ]);
  });

  test("leave gaps empty, whatever is said around them", () => {
    const gaps = [{ start: 0.3, end: 12 }];
    expect(rowsOf([word("Hi", 0, 0.2), word(" you", 12.5, 12.7)], gaps)).toEqual([
      [0, 300, "Hi"],
      [12_500, 13_500, "you"],
    ]);
    const segments = [
      { start: 0, end: 0.2, text: "Hi" },
      { start: 12.5, end: 13, text: "you" },
    ];
    expect(subtitleCues(segments, gaps).map(({ from, to }) => [from, to])).toEqual([
      [0, 300],
      [12_500, 13_500],
    ]);
  });

  test("contain word times inside the lines, which players read as times", () => {
    const words = [word("Salt", 0, 0.4), word(" <b>&", 0.9, 1.4), word(" pepper", 1.5, 2), word(" -->", 2, 2.1)];
    expect(webVtt(wordCues(words), { inlineTimes: true })).toBe(
      "WEBVTT\n\n00:00:00.000 --> 00:00:02.100\nSalt <00:00:00.900>&lt;b&gt;&amp; <00:00:01.500>pepper <00:00:02.000>--&gt;\n",
    );
    expect(webVtt(wordCues(words))).not.toContain("<00");
    const plain = subtitleCues([{ start: 0, end: 2, text: "Salt" }]);
    expect(webVtt(plain, { inlineTimes: true })).toBe(webVtt(plain));
  });

  test("of right-to-left text and text without spaces have their letters' times", () => {
    const thai = [word("วันนี้", 0, 0.5), word("อากาศ", 0.6, 1), word("ดีมาก", 1.1, 2)];
    expect(webVtt(wordCues(thai), { inlineTimes: true })).toContain("\nวันนี้<00:00:00.600>อากาศ<00:00:01.100>ดีมาก\n");
    const arabic = [word("السلام", 0, 0.5), word(" عليكم.", 0.6, 1.2)];
    expect(webVtt(wordCues(arabic), { inlineTimes: true })).toContain("\nالسلام <00:00:00.600>عليكم.\n");
  });
});

describe("cues of a few words", () => {
  const few = { ...usualRules, words: 2, shortest: 200 };
  const fewRows = (words: readonly Speech[], rules = few) =>
    wordCues(words, [], rules).map(({ from, to, lines }) => [from, to, ...lines]);

  test("follow the words, and stay until the next one unless there is a pause", () => {
    expect(fewRows(say("Salt comes first of all.", 2, "Then we bake."))).toEqual([
      [0, 1_000, "Salt comes"],
      [1_000, 1_500, "first"],
      [1_500, 2_400, "of all."],
      [4_500, 5_000, "Then"],
      [5_000, 5_900, "we bake."],
    ]);
  });

  test.each([
    ["Hindi", " सबसे पहले नमक आता है", 1],
    ["Spanish", " ¿Primero la sal? Después, harina.", 3],
    ["a language without spaces", " 今天天气很好我们去公园", 2],
  ])("in %s cut no word and lose none", (_language, text, words) => {
    const said = text.split(/(?= )/u).map((part, index) => word(part, index, index + 0.9));
    const lines = wordCues(said, [], { ...few, words }).flatMap((cue) => cue.lines);
    expect(lines.join(" ").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    const wordPlaces = new Set(
      Array.from(new Intl.Segmenter("und", { granularity: "word" }).segment(text), (one) => one.index),
    );
    let place = 0;
    for (const line of lines) {
      place = text.indexOf(line, place);
      expect(wordPlaces, line).toContain(place);
    }
    expect(lines.length).toBeGreaterThan(1);
  });
});

test("cues are as short as the rule says, and end between words", () => {
  const slow = Array.from({ length: 12 }, (_, index) =>
    word(`${index > 0 ? " " : ""}slow${index}`, index, index + 0.9),
  );
  const cues = wordCues(slow, [], { ...usualRules, longest: 3_000 });
  expect(cues.every(({ from, to }) => to - from <= 3_000)).toBe(true);
  expect(cues.flatMap(({ lines }) => lines.join(" ").split(" "))).toEqual(slow.map(({ text }) => text.trim()));
  for (const { from, lines } of cues)
    expect(slow.find(({ text }) => text.trim() === lines[0]!.split(" ")[0])!.start * 1_000).toBe(from);
  expect(wordCues(slow).some(({ from, to }) => to - from > 3_000)).toBe(true);
});

test("reading speed is that of all cues and of the fastest, without marks on letters", () => {
  expect(readingSpeed([])).toBeUndefined();
  expect(
    readingSpeed([
      { from: 0, to: 1_000, lines: ["Salt", "comes"] },
      { from: 1_500, to: 2_000, lines: ["हिन्दी सब"] },
    ]),
  ).toEqual({ average: 10.7, fastest: 12 });
});

test("any words appear in order, fit, never overlap and avoid gaps", () => {
  const text = fc.oneof(
    fc.stringMatching(/^ ?[a-zé]{1,12}[.,?!]?$/),
    fc.constantFrom(" ज़िंदगी", "วันนี้", " 👍🏽", " <b>", " -->", "\n", " ", "", " Mr.", "。", "今天"),
  );
  const step = fc.double({ min: 0, max: 3, noNaN: true });
  const anyWords = fc.array(fc.tuple(text, step, step), { maxLength: 60 }).map((said) => {
    let time = 0;
    return said.map(([written, pause, length]) => {
      const start = time + pause;
      time = start + length;
      return { start, end: time, text: written };
    });
  });
  const bare = (texts: readonly string[]) => texts.join("").replace(/[\s\p{Cc}]+/gu, "");
  const anyRules = fc.record({
    lineLength: fc.integer({ min: 20, max: 80 }),
    lines: fc.integer({ min: 1, max: 3 }),
    words: fc.constantFrom(1, 2, 3, Infinity),
    shortest: fc.constantFrom(200, 1_000, 2_000),
    longest: fc.constantFrom(2_000, 5_000, Infinity),
  });
  fc.assert(
    fc.property(anyWords, fc.nat({ max: 60 }), fc.option(anyRules, { nil: usualRules }), (words, place, rules) => {
      const before = words[place - 1];
      const after = words[place];
      const gaps = before && after && after.start - before.end > 0.1 ? [{ start: before.end, end: after.start }] : [];
      const cues = wordCues(words, gaps, rules);
      expect(bare(cues.flatMap(({ lines }) => lines))).toBe(bare(words.map((one) => one.text)));
      for (const [index, { from, to, lines, times }] of cues.entries()) {
        expect(to).toBeGreaterThan(from);
        expect(from).toBeGreaterThanOrEqual(cues[index - 1]?.to ?? 0);
        expect(to - from).toBeLessThanOrEqual(rules.longest);
        expect(lines.length).toBeGreaterThan(0);
        expect(lines.length).toBeLessThanOrEqual(rules.lines);
        // A single word is never broken, however long.
        for (const line of lines)
          if (/^[a-zé.,]+ [a-zé., ]*$/.test(line)) expect(line.length).toBeLessThanOrEqual(rules.lineLength);
        const wholeText = lines.join(" ");
        if (/^[a-zé., ]*$/.test(wholeText))
          expect(wholeText.split(" ").filter((one) => /[a-zé]/.test(one)).length).toBeLessThanOrEqual(rules.words);
        const moments = times!.flat().map(({ at }) => at);
        expect(moments).toEqual(moments.toSorted((left, right) => left - right));
        for (const at of moments) expect(at > from && at < to).toBe(true);
        // Words of no length are shown for a moment.
        for (const gap of gaps)
          expect(from >= gap.end * 1_000 - 1 || to <= gap.start * 1_000 + 3 * words.length).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["hi", "स्त्रियों ने क्षत्रिय इतिहास की पुस्तक पढ़ी। शिक्षा मंत्रालय ने विद्यार्थियों के लिए नयी योजनाएँ बनायी हैं। हज़ारों लोग आये"],
  ["ta", "ஸ்ரீரங்கம் கோயிலில் பக்தர்கள் கூட்டம் அதிகமாக இருந்தது. மாணவர்கள் விளையாட்டுப் போட்டிகளில் கலந்துகொண்டனர்."],
  ["te", "విద్యార్థులు లక్ష్మీనారాయణ గారి పుస్తకాన్ని చదివారు. రాష్ట్రంలో వర్షాలు కురుస్తున్నాయి అని చెప్పారు."],
])("file lines in %s end at words or sentences, never inside letters", (_, text) => {
  const clusters = new Set(
    [...new Intl.Segmenter("und", { granularity: "grapheme" }).segment(text)].map(({ index }) => index),
  );
  const cues = wordCues(say(text));
  for (const file of [subRip(cues), webVtt(cues)]) {
    const lines = file.split("\n").filter((line) => /\p{L}/u.test(line) && !line.startsWith("WEBVTT"));
    const shownText = lines.map((line) => line.replaceAll(/<[\d:.]+>/g, ""));
    expect(shownText.join(" ")).toBe(text);
    expect(shownText.length).toBeGreaterThan(1);
    let at = 0;
    for (const line of shownText) {
      expect(clusters.has(at), `before ${line}`).toBe(true);
      expect(text[at - 1] ?? " ", `before ${line}`).toBe(" ");
      expect(line).not.toMatch(/^[\p{M}।]/u);
      at += line.length + 1;
    }
    // A cue doesn't go on after the end of a sentence where what follows can be read alone.
    const sentences = text.split(/(?<=[।.]) /u);
    for (const sentence of sentences)
      expect(
        shownText.some((line) => sentence.endsWith(line)),
        sentence,
      ).toBe(true);
  }
});

const word = (text: string, start: number, end: number): Speech => ({ text, start, end });
const later =
  (seconds: number) =>
  ({ text, start, end }: Speech): Speech => ({
    text: text.startsWith(" ") ? text : ` ${text}`,
    start: start + seconds,
    end: end + seconds,
  });
