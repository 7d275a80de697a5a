import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { declareUnknownCodec } from "../src/made-media/broken-media.ts";
import { separateTracks } from "../src/made-media/separate-tracks.ts";
import { readTracks } from "../src/mp4/read-tracks.ts";
import { readReelTable } from "../src/reels/reel-table.ts";
import { codeOfKind } from "./with-standin.ts";

const reels = readReelTable();
const reelOf = (kind: string) => {
  const code = codeOfKind({ reels }, kind);
  return reels.find((reel) => reel.code === code)!;
};
const bytesOf = (kind: string): Promise<Buffer> => reelOf(kind).media[0]!.load();

test.each([
  ["ninetySeconds", 85, 95],
  ["fifteenMinutes", 880, 900],
  ["sixteenMinutes", 960, 1000],
])("%s lasts as it says", async (kind, least, most) => {
  const tracks = readTracks(await bytesOf(kind)).map(
    ({ samples, timescale }) => samples.reduce((sum, { duration }) => sum + duration, 0) / timescale,
  );
  for (const seconds of [...tracks, reelOf(kind).seconds]) {
    expect(seconds).toBeGreaterThan(least);
    expect(seconds).toBeLessThan(most);
  }
});

test("the bomb is small and unfolds to a day", async () => {
  const bytes = await bytesOf("bomb");
  expect(bytes.length).toBeLessThan(1_000_000);
  const [track] = readTracks(bytes);
  const ticks = track?.samples.reduce((sum, sample) => sum + sample.duration, 0) ?? 0;
  expect(ticks / (track?.timescale ?? 1) / 3600).toBeCloseTo(24, 1);
});

const ffmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;

describe.skipIf(!ffmpeg)(`decoded by ffmpeg${ffmpeg ? "" : " (skipped: there is no ffmpeg on this machine)"}`, () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "reelscript-made-media-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function decode(bytes: Buffer): { seconds: number; errors: string } {
    const file = path.join(folder, "reel.mp4");
    writeFileSync(file, bytes);
    const output = ["-t", "300", "-vn", "-ar", "16000", "-ac", "1", "-f", "s16le", "-"];
    const run = spawnSync("ffmpeg", ["-v", "error", "-f", "mov", "-i", file, ...output], { maxBuffer: 1 << 27 });
    return { seconds: run.stdout.length / 32_000, errors: run.stderr.toString() };
  }

  test.each([
    ["ninetySeconds", 89.5],
    ["bomb", 300],
  ])("%s decodes without an error", async (kind, expected) => {
    const { seconds, errors } = decode(await bytesOf(kind));
    expect(errors).toBe("");
    expect(seconds).toBeCloseTo(expected, 0);
  });

  test("separate sound decodes to the same samples, and as xHE-AAC to none", async () => {
    const [media] = reelOf("speech").media;
    const { audio } = (await separateTracks(media!))!;
    const whole = decode(await media!.load());
    const alone = decode(audio!);
    expect(alone).toEqual({ seconds: whole.seconds, errors: "" });
    expect(decode(declareUnknownCodec(audio!)).seconds).toBe(0);
  });
});
