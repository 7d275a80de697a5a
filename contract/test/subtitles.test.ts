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
        const wanted = subtitleCues(some);
        expect(blocks).toHaveLength(wanted.length);
        blocks.forEach((block, index) => {
          const [number, timing = "", ...lines] = block.replace(/\n$/, "").split("\n");
          expect(number).toBe(String(index + 1));
          const [from = "", to = ""] = timing.split(" --> ");
          expect([from, to].map(inMilliseconds)).toEqual([wanted[index]!.from, wanted[index]!.to]);
          expect(lines.join("\n")).not.toMatch(/-->|<[a-z/]|\{\\/i);
          expect(lines.map((line) => line.length)).toEqual(wanted[index]!.lines.map((line) => line.length));
        });
      }),
      { numRuns: 500 },
    );
  });
});
