import { afterAll, beforeAll, expect, test } from "vitest";
import { embeddedModelDirectory } from "../../src/embedded-model.ts";
import { createEmbeddedRecognizer, type EmbeddedRecognizer } from "../../src/embedded-recognizer.ts";
import { decoded, mediaOf, reelPath, sampleRate } from "../recordings.ts";

let recognizer: EmbeddedRecognizer;
const sounds = new Map<string, Float32Array>();
beforeAll(async () => {
  recognizer = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads: 1 });
  const names = ["music-beat", "music-calm", "en-amiable", "hi-chai"];
  for (const [index, samples] of (await decoded(...names.map(reelPath))).entries()) sounds.set(names[index]!, samples);
});
afterAll(() => recognizer.close());

const recognize = (samples: Float32Array) =>
  recognizer.recognize(mediaOf(samples), { signal: new AbortController().signal });
const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

/** The first 8 s of somebody who is so much louder than the music. */
function over(music: string, speech: string, decibels: number): Float32Array {
  const voice = sounds.get(speech)!.subarray(0, 8 * sampleRate);
  const notes = sounds.get(music)!;
  const gain = loudness(voice) / loudness(notes) / 10 ** (decibels / 20);
  return voice.map((sample, index) => sample + gain * notes[index % notes.length]!);
}

test.each(["music-beat", "music-calm"])("%s alone is no speech, forward and backward", async (name) => {
  const music = sounds.get(name)!;
  for (const samples of [music, music.toReversed()])
    expect(await recognize(samples)).toMatchObject({ text: "", language: "und", gaps: [], silences: [] });
});

test.each([
  [0, "music-beat"],
  [0, "music-calm"],
  [10, "music-beat"],
  [20, "music-calm"],
])("speech %i dB above %s is text, or not recognized, and never silence", async (decibels, music) => {
  const { text, language } = await recognize(over(music, "en-amiable", decibels));
  expect([language, text]).toEqual(["en", expect.stringContaining("respectable")]);
  await expect(recognize(over(music, "hi-chai", decibels))).rejects.toMatchObject({
    code: expect.stringMatching(/notRecognized|unsupportedLanguage/),
  });
});
