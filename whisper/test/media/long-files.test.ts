import { expect, test } from "vitest";
import { createMediaDecoder, decodingSeconds } from "../../src/media/create-media-decoder.ts";
import { neverAborted, temporaryFile } from "./decoding.ts";

test("the time that a file may take grows with the sound that is read of it", () => {
  expect([30, 900, 1_800, 3_600].map((seconds) => decodingSeconds(120, seconds))).toEqual([120, 120, 240, 480]);
});

/** A WAV file of unsigned bytes, mono. */
function wavOf(seconds: number, rate: number): Buffer {
  const head = Buffer.alloc(44);
  const bytes = seconds * rate;
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + bytes, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes, 128)]);
}

test("the embedded decoder reads 40 minutes to their end, in parts", async () => {
  const decoder = await createMediaDecoder({ ffmpegPath: "embedded", longestSeconds: 3_600 });
  try {
    const file = await temporaryFile(wavOf(2_400, 8_000), "long.wav");
    const media = decoder.decode(file, { maxSeconds: 3_600, signal: neverAborted });
    let samples = 0;
    let largest = 0;
    for await (const chunk of media.samples) {
      samples += chunk.length;
      largest = Math.max(largest, chunk.length);
    }
    expect(samples / 16_000).toBeCloseTo(2_400, 0);
    expect(largest).toBeLessThan(16_000 * 10);
    expect(await media.truncated).toBe(false);
  } finally {
    await decoder.close();
  }
});
