import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { subtitleCues } from "../src/subtitles/subtitle-cues.ts";
import { subRip, webVtt } from "../src/subtitles/subtitles.ts";

const cues = subtitleCues([
  { start: 0, end: 1.5, text: "Salt <b>& pepper</b>," },
  { start: 61.0004, end: 62.9996, text: " 1 --> 2\n\nis\tfine {\\an8} 3 < 4" },
  { start: 3_599.9995, end: 360_000, text: "ज़िंदगी, مرحبا 👍" },
]);

test("SubRip", () =>
  expect(subRip(cues)).toBe(
    [
      "1\n00:00:00,000 --> 00:00:01,500\nSalt ‹b>& pepper‹/b>,\n",
      "2\n00:01:01,000 --> 00:01:03,000\n1 --› 2 is fine (\\an8} 3 < 4\n",
      "3\n01:00:00,000 --> 100:00:00,000\nज़िंदगी, مرحبا 👍\n",
    ].join("\n"),
  ));

test("WebVTT", () =>
  expect(webVtt(cues)).toBe(
    [
      "WEBVTT\n",
      "00:00:00.000 --> 00:00:01.500\nSalt &lt;b&gt;&amp; pepper&lt;/b&gt;,\n",
      "00:01:01.000 --> 00:01:03.000\n1 --&gt; 2 is fine {\\an8} 3 &lt; 4\n",
      "01:00:00.000 --> 100:00:00.000\nज़िंदगी, مرحبا 👍\n",
    ].join("\n"),
  ));

test("nothing said is a file without cues", () => {
  for (const none of [[], [{ start: 0, end: 9, text: " \n" }]]) {
    expect(subRip(subtitleCues(none))).toBe("");
    expect(webVtt(subtitleCues(none))).toBe("WEBVTT\n");
  }
});

describe("whatever is said and whenever", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(
        fc.constantFrom(
          "-->",
          "\n",
          "\r",
          "\u2028",
          "\u0085",
          "<",
          "/b>",
          "&",
          "&lt;",
          "{",
          "\\",
          "1",
          "a",
          " ",
          "00:00:01.000",
        ),
      )
      .map((parts) => parts.join("")),
  );
  const seconds = fc.oneof(
    fc.double({ min: 0, max: 400_000, noNaN: true }),
    fc.double({ min: 0, max: 3, noNaN: true }),
  );
  const anyCues = fc.array(fc.record({ start: seconds, end: seconds, text }), { maxLength: 8 });

  const inMilliseconds = (time: string): number => {
    const [hours, minutes, rest, fraction] = time.split(/[:.,]/).map(Number) as [number, number, number, number];
    return ((hours * 60 + minutes) * 60 + rest) * 1_000 + fraction;
  };
  test("WebVTT read by its rules gives the cues back", () => {
    fc.assert(
      fc.property(anyCues, (some) => {
        const [head, ...blocks] = webVtt(subtitleCues(some)).split(/(?:\r\n|\n|\r){2,}/);
        expect(head?.trim()).toBe("WEBVTT");
        const read = blocks
          .filter((block) => block !== "")
          .map((block) => {
            const [timing = "", ...lines] = block.trimEnd().split(/\r\n|\n|\r/);
            expect(timing).toMatch(/^\d{2,}:[0-5]\d:[0-5]\d\.\d{3} --> \d{2,}:[0-5]\d:[0-5]\d\.\d{3}$/);
            expect(lines.join("\n")).not.toMatch(/-->|<|&(?!amp;|lt;|gt;)/);
            const [from = "", to = ""] = timing.split(" --> ");
            const plain = (line: string) =>
              line.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
            return { from: inMilliseconds(from), to: inMilliseconds(to), lines: lines.map(plain) };
          });
        expect(read).toEqual(subtitleCues(some));
      }),
      { numRuns: 500 },
    );
  });

  test("SubRip keeps its numbers, times and lines apart", () => {
    fc.assert(
      fc.property(anyCues, (some) => {
        const blocks = subRip(subtitleCues(some))
          .split("\n\n")
          .filter((block) => block !== "");
        const expectedCues = subtitleCues(some);
        expect(blocks).toHaveLength(expectedCues.length);
        blocks.forEach((block, index) => {
          const [number, timing = "", ...lines] = block.replace(/\n$/, "").split("\n");
          expect(number).toBe(String(index + 1));
          const [from = "", to = ""] = timing.split(" --> ");
          expect([from, to].map(inMilliseconds)).toEqual([expectedCues[index]!.from, expectedCues[index]!.to]);
          expect(lines.join("\n")).not.toMatch(/-->|<[a-z/]|\{\\/i);
          const bare = lines.map((line) => line.replace(/^\u200F(.*)\u200F$/u, "$1"));
          const lengths = expectedCues[index]!.lines.map((line) => line.replace(/^\u200F(.*)\u200F$/u, "$1").length);
          expect(bare.map((line) => line.length)).toEqual(lengths);
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe("lines that begin from the right", () => {
  const mark = "\u200F";
  const lineOf = (text: string) => subRip(subtitleCues([{ start: 0, end: 9, text }])).split("\n")[2];

  test.each(["مرحبا بالعالم.", "שלום, עולם!", "«123 سلام» ok.", "100% رائع"])("%s has a mark at both ends", (text) => {
    expect(lineOf(text)).toBe(`${mark}${text}${mark}`);
    expect(webVtt(subtitleCues([{ start: 0, end: 9, text }]))).not.toContain(mark);
  });

  test.each(["Say مرحبا.", "«1» ok سلام", "12:30!", "ज़िंदगी, مرحبا"])("%s begins from the left, and stays bare", (text) =>
    expect(lineOf(text)).toBe(text),
  );

  const filters = spawnSync("ffmpeg", ["-v", "error", "-filters"], { encoding: "utf8" }).stdout ?? "";
  test.skipIf(!/ subtitles /u.test(filters))("drawn by libass they end at the left, where their full stop is", () => {
    const text = "مرحبا بالعالم.";
    const marked = subRip(subtitleCues([{ start: 0, end: 2, text }]));
    expect(firstInk(marked)).toBeLessThan(8);
    // Without the marks a letter is there, and the full stop is at the right.
    expect(firstInk(marked.replaceAll(mark, ""))).toBeGreaterThan(9);
  });

  const wide = 640;
  const high = 120;
  /** Rows that the leftmost thing on the picture of a subtitle takes. */
  function firstInk(file: string): number {
    const folder = mkdtempSync(path.join(tmpdir(), "reelscript-subtitles-"));
    try {
      writeFileSync(path.join(folder, "a.srt"), file);
      const { stdout } = spawnSync(
        "ffmpeg",
        `-v error -f lavfi -i color=black:s=${wide}x${high}:d=1 -vf subtitles=a.srt:force_style=Fontsize=96 -frames:v 1 -pix_fmt gray -f rawvideo -`.split(
          " ",
        ),
        { cwd: folder },
      );
      expect(stdout).toHaveLength(wide * high);
      const inkAt = (x: number): number[] =>
        Array.from({ length: high }, (_, y) => y).filter((y) => stdout[y * wide + x]! > 60);
      const first = Array.from({ length: wide }, (_, x) => x).findIndex((x) => inkAt(x).length > 0);
      expect(first).toBeGreaterThan(0);
      const rows = [0, 1, 2, 3, 4].flatMap((step) => inkAt(first + step));
      return Math.max(...rows) - Math.min(...rows) + 1;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
});
