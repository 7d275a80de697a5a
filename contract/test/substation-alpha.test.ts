import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { subStationAlpha } from "../src/subtitles/substation-alpha.ts";
import { subtitleCues } from "../src/subtitles/subtitle-cues.ts";
import { usualRules } from "../src/subtitles/subtitle-rules.ts";
import { wordCues } from "../src/subtitles/word-cues.ts";

const linesOf = (file: string, field: string): string[] =>
  file.split("\n").filter((line) => line.startsWith(`${field} `));
const sizeOf = (file: string): number => Number(linesOf(file, "Style:")[0]!.split(",")[2]);

test("cues have times in hundredths, line breaks and no override of a stranger", () => {
  const file = subStationAlpha([
    { from: 0, to: 1_504, lines: ["Salt, {\\an8}and", "C:\\Nile"] },
    { from: 3_661_005, to: 3_662_996, lines: ["مرحبا."] },
  ]);
  expect(linesOf(file, "Dialogue:")).toEqual([
    "Dialogue: 0,0:00:00.00,0:00:01.50,Default,,0,0,0,,Salt, (\\\u2060an8)and\\NC:\\\u2060Nile",
    "Dialogue: 0,1:01:01.01,1:01:03.00,Default,,0,0,0,,\u200Fمرحبا.\u200F",
  ]);
  expect(linesOf(subStationAlpha([]), "Dialogue:")).toEqual([]);
});

test("every style has a value for each of its fields", () => {
  const [style] = linesOf(subStationAlpha([]), "Style:");
  const [fields] = linesOf(subStationAlpha([]), "Format:");
  expect(style!.split(",")).toHaveLength(fields!.split(",").length);
});

test("letters are as large as the widest line allows", () => {
  const sizes = ["Salt", "Salt comes first of all", "Salt comes first of all, then the flour"].map((text) =>
    sizeOf(subStationAlpha([{ from: 0, to: 1_000, lines: [text] }])),
  );
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(new Set(sizes).size).toBe(3);
});

const filters = spawnSync("ffmpeg", ["-hide_banner", "-filters"], { encoding: "utf8" }).stdout;
const canDraw = / ass +V->V /.test(filters ?? "");

describe.skipIf(!canDraw)(`libass${canDraw ? "" : " (skipped: there is no ffmpeg with the filter ass)"}`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "reelscript-ass-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** For each tenth of a second, the first and last row and column of an upright picture with something drawn; none without. */
  function drawn(file: string, seconds: number): (readonly [number, number, number, number] | undefined)[] {
    const width = 270;
    const height = 480;
    writeFileSync(path.join(folder, "subtitles.ass"), file);
    const picture = `color=black:size=${width}x${height}:rate=10:duration=${seconds}`;
    const filter = [
      "-f",
      "lavfi",
      "-i",
      picture,
      "-vf",
      "ass=subtitles.ass",
      "-pix_fmt",
      "gray",
      "-f",
      "rawvideo",
      "-",
    ];
    const { stdout, stderr, status } = spawnSync("ffmpeg", ["-hide_banner", ...filter], {
      cwd: folder,
      maxBuffer: 64 * 1_024 * 1_024,
    });
    expect(status, stderr.toString()).toBe(0);
    expect(stderr.toString()).not.toMatch(
      /(?:not enough|bad|invalid|unknown|unparsable).*(?:style|event|header|line)/i,
    );
    const size = width * height;
    return Array.from({ length: stdout.length / size }, (_, frame) => {
      const pixels = stdout.subarray(frame * size, (frame + 1) * size);
      const places = Array.from(pixels.keys()).filter((place) => pixels[place]! > 128);
      if (places.length === 0) return undefined;
      const columns = places.map((place) => place % width);
      const rows = [places[0]!, places.at(-1)!].map((place) => Math.floor(place / width));
      return [rows[0]!, rows[1]!, Math.min(...columns), Math.max(...columns)] as const;
    });
  }

  test("draws cues of words at their times, inside the picture and above its lower part", () => {
    const words = ["Salt", " comes", " first,", " everybody!"].map((text, index) => ({
      start: index * 0.5 + 0.5,
      end: index * 0.5 + 0.9,
      text,
    }));
    const frames = drawn(subStationAlpha(wordCues(words, [], { ...usualRules, words: 1, shortest: 200 })), 4);
    expect(frames).toHaveLength(40);
    expect(frames.slice(0, 5).every((one) => one === undefined)).toBe(true);
    expect(frames.slice(5, 24).every((one) => one !== undefined)).toBe(true);
    expect(frames.slice(30).every((one) => one === undefined)).toBe(true);
    for (const [top, bottom, left, right] of frames.filter((one) => one !== undefined)) {
      expect(top).toBeGreaterThan(240);
      expect(bottom).toBeLessThan(370);
      expect(left).toBeGreaterThan(0);
      expect(right).toBeLessThan(269);
    }
    // Each word looks different from the one before it.
    expect(new Set([7, 12, 17, 22].map((frame) => String(frames[frame]))).size).toBe(4);
  });

  test.each([20, 42, 80])("keeps lines of %i letters whole", (lineLength) => {
    const text =
      "Whoever waits for the dough to double will bake a much better bread tomorrow, and it costs nothing at all.";
    const cues = subtitleCues([{ start: 0, end: 8, text }], [], { ...usualRules, lineLength, lines: 1 });
    const frames = drawn(subStationAlpha(cues), 1);
    const [top, bottom, left, right] = frames[0]!;
    expect(left).toBeGreaterThan(0);
    expect(right).toBeLessThan(269);
    // The picture is drawn at a quarter of its size, and two lines are twice as high as a letter.
    expect(bottom - top).toBeLessThan((1.5 * sizeOf(subStationAlpha(cues))) / 4 + 1);
  });
});
