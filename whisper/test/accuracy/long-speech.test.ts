import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedModelDirectory as modelFolder } from "../../src/embedded-model.ts";
import { createEmbeddedRecognizer, type EmbeddedRecognizer } from "../../src/embedded-recognizer.ts";
import { textErrorsOf } from "../../src/word-errors.ts";
import {
  decoded,
  hasSpeech,
  join,
  live,
  mediaOf,
  reelPath,
  sampleRate,
  silence,
  skippedWithoutSpeech,
  speechFolder,
  spokenTexts,
} from "../recordings.ts";

const reels = fileURLToPath(new URL("../../../platform-standin/reels/", import.meta.url));

describe("speech of several windows", () => {
  let recognizer: EmbeddedRecognizer;
  let texts: ReadonlyMap<string, string>;

  beforeAll(async () => {
    recognizer = createEmbeddedRecognizer({ modelDirectory: modelFolder, threads: 1 });
    const rows = JSON.parse(readFileSync(path.join(reels, "reels.json"), "utf8")) as {
      name: string;
      text: string;
    }[];
    texts = new Map([...rows.map(({ name, text }) => [`${name}.mp4`, text] as const), ...spokenTexts()]);
    await recognizer.ready();
  });
  afterAll(async () => {
    await recognizer.close();
  });

  /** Plays recordings in a row, with pauses of 0.4 s. */
  async function play(paths: readonly string[]) {
    const samples = join(...(await decoded(...paths)).flatMap((recording) => [recording, silence(0.4)]));
    const recognition = await recognizer.recognize(mediaOf(samples), live());
    const said = paths.map((filePath) => texts.get(path.basename(filePath)) ?? "").join(" ");
    return { recognition, said, seconds: samples.length / sampleRate };
  }

  function expectWhole({ recognition, said, seconds }: Awaited<ReturnType<typeof play>>, mostErrors: number): void {
    expect(seconds).toBeGreaterThan(40);
    const { words, wordErrors, longestMissing } = textErrorsOf(said, recognition.text);
    expect(longestMissing, recognition.text).toBeLessThan(6);
    expect(wordErrors / words).toBeLessThan(mostErrors);
    const times = recognition.words ?? [];
    expect(times.map(({ text }) => text).join("")).toBe(recognition.text);
    let last = 0;
    for (const { start, end } of times) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThanOrEqual(start);
      last = end;
    }
    expect(last).toBeLessThanOrEqual(seconds);
  }

  test.each([
    ["English", ["en-half-minute", "en-weasels"], 0.1],
    ["English by several people", ["en-company", "en-austen", "en-square"], 0.2],
    ["French", ["fr-felicitations", "fr-patience"], 0.3],
    ["Italian", ["it-congratulazioni", "it-eco"], 0.2],
  ] as const)("%s: nothing is missing", async (_, names, mostErrors) => {
    const result = await play(names.map(reelPath));
    expect(result.recognition.gaps).toEqual([]);
    expectWhole(result, mostErrors);
  });

  const clip = (name: string) => path.join(speechFolder, name);
  test.runIf(hasSpeech).each([
    ["English", ["en-1.wav", "en-2.wav", "en-3.ogg", "en-4.ogg", "en-5.ogg"], 0.25],
    ["Portuguese", ["pt-2.wav", "pt-5.ogg", "pt-3.ogg", "pt-1.wav", "pt-4.ogg"], 0.3],
    ["German", ["de-1.wav", "de-3.ogg", "de-4.ogg", "de-5.ogg"], 0.35],
    ["French", ["fr-1.wav", "fr-3.ogg", "fr-4.ogg", "fr-5.ogg"], 0.45],
  ] as const)(`%s recordings: nothing is missing${skippedWithoutSpeech}`, async (_, names, mostErrors) => {
    const result = await play(names.map(clip));
    expect(result.recognition.gaps).toEqual([]);
    expectWhole(result, mostErrors);
  });
});
