import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBox } from "../src/mp4/boxes.ts";
import { readTracks } from "../src/mp4/read-tracks.ts";
import { declareUnknownCodec } from "../src/made-media/broken-media.ts";
import { separateTracks } from "../src/made-media/separate-tracks.ts";
import { readReelTable } from "../src/reels/reel-table.ts";

const reels = readReelTable();
const bytesOf = async (kind: string): Promise<Buffer> => {
  const media = reels.find((reel) => reel.kind === kind)?.media[0];
  if (!media) throw new Error(`no reel of the kind ${kind}`);
  return media.load();
};

test.each([
  ["ninetySeconds", 85, 95],
  ["fifteenMinutes", 880, 900],
  ["sixteenMinutes", 960, 1000],
])("%s lasts as it says", async (kind, least, most) => {
  const bytes = await bytesOf(kind);
  for (const track of readTracks(bytes)) {
    const seconds = track.samples.reduce((sum, sample) => sum + sample.duration, 0) / track.timescale;
    expect(seconds).toBeGreaterThan(least);
    expect(seconds).toBeLessThan(most);
  }
  const [reel] = reels.filter((each) => each.kind === kind);
  expect(reel?.seconds).toBeGreaterThan(least);
  expect(reel?.seconds).toBeLessThan(most);
  expect(await bytesOf(kind)).toBe(bytes);
});

test("the bomb is small and unfolds to a day", async () => {
  const bytes = await bytesOf("bomb");
  expect(bytes.length).toBeLessThan(1_000_000);
  const [track] = readTracks(bytes);
  const ticks = track?.samples.reduce((sum, sample) => sum + sample.duration, 0) ?? 0;
  expect(ticks / (track?.timescale ?? 1) / 3600).toBeCloseTo(24, 1);
});

test("broken files are broken in the way they say", async () => {
  expect(() => readTracks(Buffer.from("x"))).toThrow("moov");
  const tables = await bytesOf("truncatedTables");
  expect(() => findBox(tables, "moov")).toThrow("moov");
  expect((await bytesOf("playlist")).toString()).toMatch(/^#EXTM3U/);
  expect((await bytesOf("concatScript")).toString()).toMatch(/^ffconcat/);
  expect(await bytesOf("emptyMedia")).toHaveLength(0);
  const whole = await bytesOf("nullCaption");
  expect((await bytesOf("truncated")).length).toBeLessThan(whole.length);
  expect(findBox(await bytesOf("corrupt"), "mdat")).toEqual(findBox(whole, "mdat"));
});

const ffmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;

describe.skipIf(!ffmpeg)(`decoded by ffmpeg${ffmpeg ? "" : " (skipped: there is no ffmpeg on this machine)"}`, () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "reelscript-made-media-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const decode = async (kind: string, mostSeconds?: number) => decodeBytes(await bytesOf(kind), mostSeconds);

  function decodeBytes(bytes: Buffer, mostSeconds = 2000): { seconds: number; errors: string } {
    const file = path.join(folder, "reel.mp4");
    writeFileSync(file, bytes);
    const output = ["-t", String(mostSeconds), "-vn", "-ar", "16000", "-ac", "1", "-f", "s16le", "-"];
    const run = spawnSync("ffmpeg", ["-v", "error", "-f", "mov", "-i", file, ...output], { maxBuffer: 1 << 27 });
    return { seconds: run.stdout.length / 32_000, errors: run.stderr.toString() };
  }

  test("the joined reels play to their end without an error", async () => {
    const { seconds, errors } = await decode("ninetySeconds");
    expect(errors).toBe("");
    expect(seconds).toBeCloseTo(89.5, 0);
  });

  test("the sound of every whole video decodes on its own to the same samples, and as xHE-AAC to none", async () => {
    const stored = reels.filter(({ media: [first], kind }) => first?.isWhole && first.hasAudio && kind === "speech");
    expect(stored.length).toBeGreaterThan(3);
    for (const { media } of stored) {
      const tracks = await separateTracks(media[0]!);
      const [whole, alone] = [decodeBytes(await media[0]!.load()), decodeBytes(tracks!.audio!)];
      expect(alone.errors).toBe("");
      expect(alone.seconds).toBe(whole.seconds);
      expect(decodeBytes(declareUnknownCodec(tracks!.audio!)).seconds).toBe(0);
    }
  });

  test("the bomb decodes without an error", async () => {
    const { seconds, errors } = await decode("bomb", 1500);
    expect(errors).toBe("");
    expect(seconds).toBeCloseTo(1500, 0);
  });

  test.each([
    "truncatedTables",
    "corrupt",
    "corruptTables",
    "playlist",
    "concatScript",
    "htmlMedia",
    "emptyMedia",
    "unknownCodec",
    "undeclaredNoAudio",
  ])("%s gives no sound", async (kind) => {
    expect((await decode(kind)).seconds).toBe(0);
  });

  test("a file cut off gives its first part", async () => {
    const { seconds } = await decode("truncated");
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(8);
  });
});
