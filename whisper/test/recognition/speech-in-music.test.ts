import { afterAll, beforeAll, expect, test } from "vitest";
import { embeddedModelDirectory } from "../../src/embedded-model.ts";
import { createEmbeddedRecognizer, type EmbeddedRecognizer } from "../../src/embedded-recognizer.ts";
import { decoded, join, mediaOf, reelPath, sampleRate } from "../recordings.ts";

let recognizer: EmbeddedRecognizer;
const sounds = new Map<string, Float32Array>();
beforeAll(async () => {
  recognizer = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads: 1 });
  const names = ["music-beat", "music-calm", "en-austen", "hi-chai"];
  for (const [index, samples] of (await decoded(...names.map(reelPath))).entries()) sounds.set(names[index]!, samples);
});
afterAll(() => recognizer.close());

const recognize = (samples: Float32Array) =>
  recognizer.recognize(mediaOf(samples), { signal: new AbortController().signal });
const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

/** Somebody who is so much louder than the music. */
function over(music: string, voice: Float32Array, decibels: number): Float32Array {
  const notes = sounds.get(music)!;
  const gain = loudness(voice) / loudness(notes) / 10 ** (decibels / 20);
  return voice.map((sample, index) => sample + gain * notes[index % notes.length]!);
}

test.each(["music-beat", "music-calm"])("%s alone is no speech, forward and backward", async (name) => {
  const music = sounds.get(name)!;
  for (const samples of [music, music.toReversed()])
    expect(await recognize(samples)).toMatchObject({ text: "", language: "und", gaps: [], silences: [] });
});

const mixes: readonly (readonly [number, string])[] = [
  [0, "music-beat"],
  [0, "music-calm"],
  [10, "music-beat"],
  [20, "music-calm"],
];

test("speech above music is text, whatever the music and its loudness", async () => {
  const reading = sounds.get("en-austen")!;
  // The reader pauses at these seconds. What is read between two of them has music of its own.
  const pauses = [0, 7.5, 11, 16.5, Number.POSITIVE_INFINITY];
  const parts = mixes.map(([decibels, music], index) =>
    over(music, reading.subarray(pauses[index]! * sampleRate, pauses[index + 1]! * sampleRate), decibels),
  );
  const { text, language, gaps, silences } = await recognize(join(...parts));
  expect({ language, gaps, silences }).toEqual({ language: "en", gaps: [], silences: [] });
  expect(text).toMatch(/leisure.*power.*young man.*cold-hearted.*selfish.*amiable woman.*respectable.*amiable himself/);
});

test.each(mixes)("unread speech %i dB above %s is not recognized, and never silence", async (decibels, music) => {
  const voice = sounds.get("hi-chai")!.subarray(0, 8 * sampleRate);
  await expect(recognize(over(music, voice, decibels))).rejects.toMatchObject({
    code: expect.stringMatching(/notRecognized|unsupportedLanguage/),
  });
});
