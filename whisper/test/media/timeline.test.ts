import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { createMediaDecoder } from "@reelscript/whisper";
import { type Edit, withEdits, withPause } from "./boxes.ts";
import { decodeAll, fixture, systemDecoder, temporaryFile } from "./decoding.ts";
import { interleaved, matroska } from "./matroska.ts";

const embedded = await createMediaDecoder({ ffmpegPath: "embedded" });
const system = await systemDecoder();
const decoders = [embedded, ...(system === null ? [] : [system])];
afterAll(async () => {
  await Promise.all([embedded.close(), system?.close()]);
});

const tone = (seconds: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => 0.3 * Math.sin((at * 2 * Math.PI * 440) / 16_000));
const days = 86_400_000;

/** Stretches of 0.1 s or more in which anything sounds, in seconds. */
function sounding(samples: Float32Array): number[][] {
  const stretches: number[][] = [];
  for (let at = 0; at + 160 <= samples.length; at += 160) {
    if (!samples.subarray(at, at + 160).some((sample) => Math.abs(sample) > 0.02)) continue;
    const last = stretches.at(-1);
    const start = at / 16_000;
    const end = (at + 160) / 16_000;
    if (last && start - last[1]! < 0.1) last[1] = end;
    else stretches.push([start, end]);
  }
  return stretches;
}

const about = (stretches: readonly (readonly number[])[]) =>
  stretches.map((stretch) => stretch.map((seconds) => expect.closeTo(seconds, 1) as number));

describe.each(decoders)("$description", (decoder) => {
  async function decode(file: Buffer, maxSeconds = 60) {
    const { samples, truncated } = await decodeAll(decoder, await temporaryFile(file), maxSeconds);
    return { stretches: sounding(samples), seconds: samples.length / 16_000, truncated };
  }
  const blocksAt = (...starts: readonly number[]) =>
    matroska(
      [{ channels: 1 }],
      starts.map((milliseconds) => ({ track: 2, milliseconds, bytes: interleaved(tone(1)) })),
    );

  test.each<[string, readonly Edit[], readonly (readonly number[])[]]>([
    ["a late beginning", [{ seconds: 1.5 }, { seconds: 3, from: 0 }], [[1.5, 4.5]]],
    ["a beginning that is cut off", [{ seconds: 2, from: 1 }], [[0, 2]]],
    ["a late beginning that is cut off", [{ seconds: 0.5 }, { seconds: 1, from: 2 }], [[0.5, 1.5]]],
  ])("an MP4's edit list with %s", async (_, edits, stretches) => {
    const file = withEdits(readFileSync(fixture("chirp.mp4")), edits);
    expect((await decode(file)).stretches).toEqual(about(stretches));
  });

  test("an MP4's pause", async () => {
    const late = withEdits(readFileSync(fixture("chirp.mp4")), [{ seconds: 0.5 }, { seconds: 6, from: 0 }]);
    const { stretches } = await decode(withPause(late, 42, 2));
    expect(stretches).toEqual(
      about([
        [0.5, 1.5],
        [3.5, 5.5],
      ]),
    );
  });

  test.each<[string, readonly number[], readonly (readonly number[])[]]>([
    ["at once", [0], [[0, 1]]],
    ["late", [5_000], [[5, 6]]],
    [
      "with a pause",
      [0, 4_000],
      [
        [0, 1],
        [4, 5],
      ],
    ],
    [
      "late and with pauses",
      [700, 2_000, 20_000],
      [
        [0.7, 1.7],
        [2, 3],
        [20, 21],
      ],
    ],
    ["with times that are a little off", [0, 1_030, 1_990, 3_040], [[0, 4]]],
  ])("a Matroska whose sound comes %s", async (_, starts, stretches) => {
    expect((await decode(blocksAt(...starts))).stretches).toEqual(about(stretches));
  });

  test("an encoder's early beginning moves nothing", async () => {
    const { stretches } = await decode(readFileSync(fixture("chirp.webm")));
    expect(stretches).toEqual(about([[0, 3]]));
  });

  test("what comes after the longest length is cut, however long the pause before it", async () => {
    expect(await decode(blocksAt(0, 4_500), 4)).toEqual({ stretches: about([[0, 1]]), seconds: 4, truncated: true });
    expect(await decode(blocksAt(3_500), 4)).toEqual({ stretches: about([[3.5, 4]]), seconds: 4, truncated: true });
  });

  test.each<[string, readonly number[]]>([
    ["begins after days", [10 * days, 10 * days + 1_000]],
    ["jumps by days", [0, 10 * days]],
    ["jumps back", [50_000, 0]],
    ["jumps by days and back", [0, 10 * days, 1_000, 20 * days]],
  ])("sound that %s is heard without hours of silence", async (_, starts) => {
    const { stretches, seconds } = await decode(blocksAt(...starts));
    const first = starts[0] === 50_000 ? 50 : 0;
    expect(stretches).toEqual(about([[first, first + starts.length]]));
    expect(seconds).toBeLessThan(first + starts.length + 0.5);
  });
});
