import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { createMediaDecoder, type MediaDecoder, WhisperError, type WhisperErrorCode } from "@reelscript/whisper";
import {
  childProcesses,
  type Decoded,
  isEmbeddedDecoder,
  decodeAll,
  fixture,
  isRunning,
  neverAborted,
  systemDecoder,
  temporaryFile,
} from "./decoding.ts";
import * as hostile from "./hostile-media.ts";
import { silenceBomb } from "./silence-bomb.ts";

const embedded = await createMediaDecoder({ ffmpegPath: "embedded" });
const system = await systemDecoder();
const decoders = [embedded, ...(system === null ? [] : [system])];
const isLinux = process.platform === "linux";

afterAll(async () => {
  await Promise.all([embedded.close(), system?.close()]);
});

/** Each decoder's samples of a fixture, which two tests look at. */
const decodings = new Map<string, Promise<Decoded>>();
function decodedFixture(decoder: MediaDecoder, name: string): Promise<Decoded> {
  const key = `${decoder.description} ${name}`;
  const decoding = decodings.get(key) ?? decodeAll(decoder, fixture(name));
  decodings.set(key, decoding);
  return decoding;
}

describe.each(decoders)("$description", (decoder) => {
  test.each(["chirp.mp4", "chirp.webm", "chirp.mp3", "chirp.ogg", "chirp.flac"])("reads %s", async (name) => {
    const { samples, durationSeconds, truncated } = await decodedFixture(decoder, name);
    expect(samples.length / 16_000).toBeCloseTo(3, 1);
    expect(samples.every((sample) => Math.abs(sample) <= 1)).toBe(true);
    expect(Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)).toBeCloseTo(0.28, 1);
    expect(durationSeconds).toBeCloseTo(3, 0);
    expect(truncated).toBe(false);
  });

  test("reads a WAV file exactly, and tames what is no sample", async () => {
    const wave = Array.from({ length: 1600 }, (_, index) => Math.fround(Math.sin(index / 7) * 0.9));
    const wild = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e30, -7];
    const path = await temporaryFile(hostile.floatWav([...wave, ...wild]), "wild.wav");
    const { samples } = await decodeAll(decoder, path);
    expect([...samples]).toEqual([...wave, 0, 1, -1, 1, -1]);
  });

  test("cuts exactly at maxSeconds and says whether audio was left over", async () => {
    const path = await temporaryFile(hostile.floatWav(Array.from({ length: 32_000 }, () => 0.1)), "two-seconds.wav");
    const cut = await decodeAll(decoder, path, 1.5);
    expect([cut.samples.length, cut.truncated]).toEqual([24_000, true]);
    const whole = await decodeAll(decoder, path, 2);
    expect([whole.samples.length, whole.truncated]).toEqual([32_000, false]);
    const oneLeft = await decodeAll(decoder, path, 31_999 / 16_000);
    expect([oneLeft.samples.length, oneLeft.truncated]).toEqual([31_999, true]);
  });

  test("stops a small file that unpacks to 24 hours", async () => {
    const { samples, truncated } = await decodeAll(decoder, await temporaryFile(silenceBomb(86_400)), 120);
    expect([samples.length, truncated]).toEqual([120 * 16_000, true]);
  });

  test.each<[string, Buffer]>([
    ["durations", hostile.withInsaneDurations()],
    ["time table", hostile.withInsaneTimeTable()],
  ])("does not believe an insane %s", async (_what, file) => {
    const { samples, durationSeconds } = await decodeAll(decoder, await temporaryFile(file));
    expect(samples.length / 16_000).toBeCloseTo(3, 1);
    expect([null, 3]).toContain(durationSeconds);
  });

  test.each<[string, Buffer, WhisperErrorCode]>([
    ["no index", hostile.withoutIndex(), "undecodable"],
    ["no audio track", hostile.withoutAudioTrack(), "noAudioTrack"],
    ["xHE-AAC", hostile.withExtendedHeAac(), "unsupportedCodec"],
    ["an unknown codec", hostile.withUnknownCodec(), "unsupportedCodec"],
    ["an insane count of samples", hostile.withInsaneSampleCount(), "undecodable"],
    ["insanely many samples of one byte", hostile.withInsaneConstantSamples(), "undecodable"],
    ["noise after a good first box", hostile.onlyTheFirstBoxIsGood(), "undecodable"],
    ["noise", hostile.randomBytes(20_000), "unsupportedContainer"],
    ["no bytes", Buffer.alloc(0), "undecodable"],
    ["a playlist", hostile.playlist(fixture("chirp.mp4")), "unsupportedContainer"],
    ["a concat script", hostile.concatScript(fixture("chirp.mp4")), "unsupportedContainer"],
  ])("refuses a file of %s", async (_what, file, code) => {
    const path = await temporaryFile(file);
    const media = decoder.decode(path, { maxSeconds: 60, signal: neverAborted });
    const read = async (): Promise<void> => {
      for await (const chunk of media.samples) expect(chunk.length).toBe(0);
    };
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WhisperError);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain(path);
    await expect(media.truncated).rejects.toBe(error);
  });

  test("refuses a file whose sound breaks off, though samples came", async () => {
    const path = await temporaryFile(hostile.truncatedMedia());
    await expect(decodeAll(decoder, path)).rejects.toMatchObject({
      code: "brokenOff",
      message: expect.stringContaining("breaks off") as string,
    });
  });

  test("survives damaged files: samples or a reason, every time", async () => {
    const outcomes = new Set<string>();
    for (let seed = 0; seed < 12; seed += 1) {
      const path = await temporaryFile(hostile.fuzzed(seed));
      const outcome = await decodeAll(decoder, path).then(
        ({ samples }) => (samples.length > 0 ? "samples" : "nothing"),
        (error: unknown) => (error instanceof WhisperError ? error.code : String(error)),
      );
      outcomes.add(outcome);
    }
    const allowed = ["samples", "undecodable", "brokenOff", "noAudioTrack", "unsupportedCodec", "memory"];
    expect([...outcomes].filter((outcome) => !allowed.includes(outcome))).toEqual([]);
    expect(outcomes).toContain("undecodable");
  });

  test("ends with `aborted` before and while it decodes", async () => {
    const path = await temporaryFile(silenceBomb(86_400));
    await expect(
      decoder.decode(path, { maxSeconds: 60, signal: AbortSignal.abort() }).samples[Symbol.asyncIterator]().next(),
    ).rejects.toMatchObject({ code: "aborted" });
    const controller = new AbortController();
    const readUntilAborted = async (): Promise<void> => {
      const { samples } = decoder.decode(path, { maxSeconds: 80_000, signal: controller.signal });
      for await (const chunk of samples) if (chunk.length > 0) controller.abort();
    };
    await expect(readUntilAborted()).rejects.toMatchObject({ code: "aborted" });
  });

  test.skipIf(!isLinux)("holds the child back while nobody reads, and kills it when the reader leaves", async () => {
    const before = childProcesses();
    const path = await temporaryFile(silenceBomb(86_400));
    let working: number[] = [];
    for await (const chunk of decoder.decode(path, { maxSeconds: 80_000, signal: neverAborted }).samples) {
      expect(chunk.length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 300));
      working = [...childProcesses()].filter((id) => (decoder === embedded ? isEmbeddedDecoder(id) : !before.has(id)));
      const written = working.map((id) => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${id}/io`, "utf8"))?.[1]));
      expect(Math.max(...written)).toBeLessThan(8 * 1024 ** 2);
      break;
    }
    expect(working).not.toEqual([]);
    expect(working.filter(isRunning)).toEqual([]);
  });
});

test.skipIf(system === null)(
  "the system's and the embedded decoder give the same samples (skipped where no ffmpeg is installed)",
  async () => {
    if (system === null) return;
    for (const name of ["chirp.mp4", "chirp.webm", "chirp.mp3", "chirp.ogg", "chirp.flac"]) {
      const [one, other] = await Promise.all([decodedFixture(embedded, name), decodedFixture(system, name)]);
      expect(Math.abs(one.samples.length - other.samples.length) / 16_000).toBeLessThan(0.03);
      expect(correlation(one.samples, other.samples)).toBeGreaterThan(0.99);
    }
  },
);

function correlation(one: Float32Array, other: Float32Array): number {
  const length = Math.min(one.length, other.length);
  let product = 0;
  let oneSquared = 0;
  let otherSquared = 0;
  for (let index = 0; index < length; index += 1) {
    const first = one[index] ?? 0;
    const second = other[index] ?? 0;
    product += first * second;
    oneSquared += first * first;
    otherSquared += second * second;
  }
  return product / Math.sqrt(oneSquared * otherSquared);
}
