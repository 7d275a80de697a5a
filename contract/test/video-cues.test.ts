import { describe, expect, test } from "vitest";
import { videoSubtitleFile } from "../src/subtitles/substation-alpha.ts";
import { videoCues } from "../src/subtitles/video-cues.ts";
import { videoPicture, videoStyleNames, videoStyles } from "../src/subtitles/video-styles.ts";

const scriptOf = (text: string, isTimed = true) => ({
  transcript: text,
  segments: [{ start: 0.2, end: 20, text }],
  gaps: [],
  ...(isTimed && {
    words: text.split(/(?= )/).map((word, index) => ({ start: index / 2 + 0.2, end: index / 2 + 0.6, text: word })),
  }),
  receipt: { audioSeconds: 20 },
});
const english = "Salt comes first, and then the flour. Never salt the yeast itself, whatever anybody says about it.";
const events = (file: string): readonly string[] => file.split("\n").filter((line) => line.startsWith("Dialogue:"));
const textOf = (event: string): string => event.split(",").slice(9).join(",");

describe.each(videoStyleNames)("the style %s", (name) => {
  const style = videoStyles[name];

  test("shows every word once, by the rules of the style", () => {
    const { cues } = videoCues(scriptOf(english), name);
    const words = cues.flatMap(({ lines }) => lines.map((parts) => parts.map(({ text }) => text).join(""))).join(" ");
    expect(words).toBe(english);
    for (const { from, to, lines, size } of cues) {
      expect(lines.length).toBeLessThanOrEqual(style.rules.lines);
      expect(to - from).toBeLessThanOrEqual(style.rules.longest);
      expect(size).toBeLessThanOrEqual(style.size);
      const moments = lines.flat().map(({ at }) => at);
      expect(moments).toEqual(moments.toSorted((one, other) => one - other));
      expect(moments[0]).toBe(from);
    }
    for (const [index, cue] of cues.entries()) expect(cue.to).toBeLessThanOrEqual(cues[index + 1]?.from ?? Infinity);
  });

  test("has a value for each field, and events that follow one another", () => {
    const file = videoSubtitleFile(videoCues(scriptOf(english), name), name);
    const fieldsOf = (field: string): number =>
      file
        .split("\n")
        .find((line) => line.startsWith(`${field}:`))!
        .split(",").length;
    expect(fieldsOf("Style")).toBe(fieldsOf("Format"));
    const times = events(file).map((event) => event.split(",").slice(1, 3));
    for (const [index, [from = "", to = ""]] of times.entries()) {
      expect(from < to).toBe(true);
      expect(to <= (times[index + 1]?.[0] ?? "9")).toBe(true);
    }
  });

  test("lets no text give a command, whatever it says", () => {
    const hostile = [
      "{\\an8\\fs400}huge",
      "\\N\\h\\n{\\p1}m 0 0",
      "a\\{b}\\",
      "}{\\1c&H0000FF&}red",
      "line\nbreak\r\n[Fonts]\nDialogue: 0,0:00:00.00,9:00:00.00,Default,,0,0,0,,whole",
      "{\\t(0,1,\\fscx9999)}\u2028x\u2029",
    ];
    for (const text of hostile) {
      const file = videoSubtitleFile(videoCues(scriptOf(text), name), name);
      const ownTags = /^\{\\fs\d+\}|\{\\1c(&H00[0-9A-F]{6}&)?\}/g;
      for (const event of events(file)) {
        const left = textOf(event).replaceAll(ownTags, "");
        expect(left, text).not.toMatch(/[{}]/);
        // A break between two lines is ours; every other backslash is followed by a mark of no width.
        expect(left.replaceAll("\\N", ""), text).not.toMatch(/\\(?!\u2060)/);
      }
      const sections = file.split("\n").filter((line) => line.startsWith("["));
      expect(sections).toEqual(["[Script Info]", "[V4+ Styles]", "[Events]"]);
    }
  });

  test("makes a long word smaller instead of letting it leave the picture", () => {
    const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    const [cue] = videoCues(scriptOf(long), name).cues;
    expect(cue!.size).toBeLessThan(style.size);
    expect(cue!.size * long.length * 0.45).toBeLessThan(2 * videoPicture.width);
  });
});

test("the spoken word has its color while it is spoken, and words without times have none", () => {
  const [first, second] = events(videoSubtitleFile(videoCues(scriptOf("Salt comes first"), "highlight"), "highlight"));
  expect(textOf(first!)).toMatch(/^\{\\fs130\}\{\\1c&H000AD6FF&\}Salt \{\\1c\}comes/);
  expect(textOf(second!)).toMatch(/^\{\\fs130\}Salt \{\\1c&H000AD6FF&\}comes/);
  const untimed = videoCues(scriptOf(english, false), "highlight").cues;
  expect(untimed.every(({ lines, from }) => lines.flat().every(({ at }) => at === from))).toBe(true);
});

test("the font is that of the script with the most letters", () => {
  const family = (text: string): string => videoCues(scriptOf(text), "oneLine").font.family;
  expect(family(english)).toBe("Noto Sans");
  expect(family("Привет, мир")).toBe("Noto Sans");
  expect(family("पहले नमक डालिए, OK")).toBe("Noto Sans Devanagari");
  expect(family("مرحبا بكم في iOS")).toBe("Noto Sans Arabic");
  expect(family("שלום")).toBe("Noto Sans Hebrew");
});
