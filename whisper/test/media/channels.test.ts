import { afterAll, describe, expect, test } from "vitest";
import { createMediaDecoder } from "@reelscript/whisper";
import { decodeAll, systemDecoder, temporaryFile } from "./decoding.ts";
import { floatWav } from "./hostile-media.ts";
import { interleaved, matroska } from "./matroska.ts";

const embedded = await createMediaDecoder({ ffmpegPath: "embedded" });
const system = await systemDecoder();
const decoders = [embedded, ...(system === null ? [] : [system])];
afterAll(async () => {
  await Promise.all([embedded.close(), system?.close()]);
});

const length = 32_000;
const wave = (shape: (seconds: number) => number) => Float32Array.from({ length }, (_, index) => shape(index / 16_000));
const sine = (hertz: number, seconds: number) => Math.sin(2 * Math.PI * hertz * seconds);
/** Syllables with overtones. */
const voice = wave(
  (t) => 0.1 * (1 + sine(4, t)) * [1, 2, 3, 5, 8, 12, 17].reduce((sum, order) => sum + sine(151 * order, t) / order, 0),
);
/** Overtones that nothing else here is close to, in hertz. */
const overtones = [3, 5, 8, 12, 17].map((order) => 151 * order);
const music = wave((t) => 0.2 * (sine(196, t) + sine(247, t) + 0.5 * sine(1976, t)));
const bass = wave((t) => 0.6 * sine(82, t));
const silence = new Float32Array(length);
const sum = (...parts: readonly Float32Array[]) =>
  silence.map((_, at) => parts.reduce((all, part) => all + part[at]!, 0));
const scaled = (factor: number, part: Float32Array) => part.map((sample) => factor * sample);
const opposite = (part: Float32Array) => scaled(-1, part);
const later = (samples: number, part: Float32Array) => part.map((_, at) => part[at - samples] ?? 0);

/** How much of each overtone of `part` is in `mix` at least, whatever else is and wherever their phases lie: 1 for all. */
function share(mix: Float32Array, part: Float32Array): number {
  const strength = (samples: Float32Array, frequency: number) => {
    let real = 0;
    let imag = 0;
    for (let at = 2000; at < length - 2000; at += 1) {
      real += (samples[at] ?? 0) * Math.cos((2 * Math.PI * frequency * at) / 16_000);
      imag += (samples[at] ?? 0) * Math.sin((2 * Math.PI * frequency * at) / 16_000);
    }
    return Math.hypot(real, imag);
  };
  return Math.min(...overtones.map((frequency) => strength(mix, frequency) / strength(part, frequency)));
}

const wavOf = (...channels: readonly Float32Array[]) => {
  const samples = Array.from(
    { length: length * channels.length },
    (_, at) => channels[at % channels.length]![Math.floor(at / channels.length)]!,
  );
  return floatWav(samples, 16_000, channels.length);
};

describe.each(decoders)("$description", (decoder) => {
  const mixOf = async (...channels: readonly Float32Array[]) => {
    const { samples } = await decodeAll(decoder, await temporaryFile(wavOf(...channels), "channels.wav"));
    expect(samples.length).toBe(length);
    return samples;
  };

  test("channels that agree are the same in one", async () => {
    const mix = await mixOf(voice, voice);
    expect(Math.max(...mix.map((sample, at) => Math.abs(sample - voice[at]!)))).toBeLessThan(1e-6);
  });

  test("usual stereo is the mean of both", async () => {
    const left = sum(voice, music);
    const right = sum(voice, scaled(0.3, later(2, music)));
    const mix = await mixOf(left, right);
    expect(Math.max(...mix.map((sample, at) => Math.abs(sample - (left[at]! + right[at]!) / 2)))).toBeLessThan(1e-6);
  });

  test.each<[string, readonly Float32Array[], number]>([
    ["opposite channels", [voice, opposite(voice)], 0.6],
    ["opposite channels of different loudness", [voice, scaled(-0.7, voice)], 0.5],
    ["opposite channels, one a little later", [voice, opposite(later(3, voice))], 0.3],
    ["a voice in opposite channels over music in both", [sum(voice, music), sum(opposite(voice), music)], 0.4],
    ["a voice in opposite channels over a loud bass", [sum(voice, bass), sum(opposite(voice), bass)], 0.5],
    ["a silent channel", [silence, voice], 0.49],
    ["a channel of music", [music, voice], 0.3],
    ["a third channel alone", [silence, silence, voice], 0.3],
    ["quadraphony in pairs of opposites", [voice, opposite(voice), voice, opposite(voice)], 0.3],
    ["5.1 with the center alone", [silence, silence, voice, silence, silence, silence], 0.2],
    ["5.1 with opposite music", [music, opposite(music), voice, silence, music, opposite(music)], 0.2],
    ["5.1 of opposites", [voice, opposite(voice), voice, opposite(voice), voice, opposite(voice)], 0.2],
    ["6.1 with one side alone", [silence, silence, silence, silence, silence, voice, silence], 0.1],
    ["7.1 with the last channel alone", [silence, silence, silence, silence, silence, silence, silence, voice], 0.1],
  ])("%s: the voice is heard", async (_, channels, least) => {
    expect(share(await mixOf(...channels), voice)).toBeGreaterThan(least);
  });

  test("what opposes for a moment only is heard, too", async () => {
    const half = length / 2;
    const right = voice.map((sample, at) => (at < half ? sample : -sample));
    const mix = await mixOf(voice, right);
    const power = (from: number, to: number) =>
      mix.subarray(from, to).reduce((all, sample) => all + sample * sample, 0) / (to - from);
    expect(power(half + 1600, length)).toBeGreaterThan(0.4 * power(0, half));
  });

  test("more channels than any layout has are an error, never silence", async () => {
    for (const channels of [64, 512]) {
      const file = matroska(
        [{ channels }],
        [{ track: 2, milliseconds: 0, bytes: Buffer.alloc(channels * 4 * 160, 1) }],
      );
      const path = await temporaryFile(file, "channels.mkv");
      await expect(decodeAll(decoder, path)).rejects.toMatchObject({ code: "undecodable" });
    }
  });

  test("the default track is read, wherever it is", async () => {
    const tracks = [{ channels: 2, isDefault: false }, { channels: 1, isDefault: false }, { channels: 1 }];
    const blocks = [interleaved(music, music), interleaved(silence), interleaved(voice)].map((bytes, index) => ({
      track: index + 2,
      milliseconds: 0,
      bytes,
    }));
    const { samples } = await decodeAll(decoder, await temporaryFile(matroska(tracks, blocks), "tracks.mkv"));
    expect(Math.max(...samples.map((sample, at) => Math.abs(sample - voice[at]!)))).toBeLessThan(1e-6);
    const noDefault = tracks.map(({ channels }) => ({ channels, isDefault: false }));
    const { samples: first } = await decodeAll(decoder, await temporaryFile(matroska(noDefault, blocks), "tracks.mkv"));
    expect(Math.max(...first.map((sample, at) => Math.abs(sample - music[at]!)))).toBeLessThan(1e-6);
  });
});
