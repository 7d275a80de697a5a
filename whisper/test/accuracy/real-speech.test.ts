import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedModelDirectory as modelFolder } from "../../src/embedded-model.ts";
import { createTranscriber } from "../../src/create-transcriber.ts";
import { createEmbeddedRecognizer } from "../../src/embedded-recognizer.ts";
import { createMediaDecoder } from "../../src/media/create-media-decoder.ts";
import type { Transcriber } from "../../src/transcriber.ts";
import { textErrorsOf } from "../../src/word-errors.ts";
import { hasSpeech, live, skippedWithoutSpeech, speechFolder, spokenTexts } from "../recordings.ts";

/** Measured with the embedded model, and 0.1 more: other processors round otherwise and decide close calls otherwise. */
const wordErrors: readonly (readonly [string, number])[] = [
  ["en-2.wav", 0],
  ["en-3.ogg", 0.06],
  ["es-1.wav", 0.5],
  ["es-3.ogg", 0.14],
  ["pt-1.wav", 0],
  ["fr-6.m4a", 0.26],
  ["de-3.ogg", 0.17],
  ["it-2.wav", 0.3],
];
/** Languages of long words, or lists of single ones, are measured by characters. */
const characterErrors: readonly (readonly [string, number])[] = [
  ["ta-1.wav", 0.2],
  ["id-2.wav", 0.15],
  ["ar-2.wav", 0.25],
];
const tolerance = 0.1;

describe.skipIf(!hasSpeech)(`real speech${skippedWithoutSpeech}`, () => {
  let transcriber: Transcriber;
  const texts = spokenTexts();

  beforeAll(async () => {
    const recognizer = createEmbeddedRecognizer({ modelDirectory: modelFolder, threads: 1 });
    transcriber = createTranscriber({ decoder: await createMediaDecoder(), recognizer, maxSeconds: 900 });
    await transcriber.ready();
  });
  afterAll(async () => {
    await transcriber.close();
  });

  /** With the hint: some languages are only written down with it. */
  async function transcribed(file: string) {
    const hinted = { ...live(), language: file.slice(0, 2) };
    const result = await transcriber.transcribe(path.join(speechFolder, file), hinted);
    expect(result.language).toBe(file.slice(0, 2));
    expect(result.gaps).toEqual([]);
    let last = 0;
    for (const { start, end } of result.segments) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThanOrEqual(start);
      last = end;
    }
    expect(last).toBeLessThanOrEqual(result.seconds);
    return result;
  }

  test.each(wordErrors)("%s: at most %f of the words are wrong, give or take", async (file, errors) => {
    const { text } = await transcribed(file);
    const { wordErrors: wrong, words } = textErrorsOf(texts.get(file) ?? "", text);
    expect(wrong / words).toBeLessThanOrEqual(errors + tolerance);
  });

  test.each(characterErrors)("%s: at most %f of the characters are wrong, give or take", async (file, errors) => {
    const { text } = await transcribed(file);
    const { letterErrors, letters } = textErrorsOf(texts.get(file) ?? "", text);
    expect(letterErrors / letters).toBeLessThanOrEqual(errors + tolerance);
  });

  test.each(["hi-1.wav", "hi-2.wav"])("%s: Hindi is a rough draft", async (file) => {
    const { text } = await transcribed(file);
    const { letterErrors, letters } = textErrorsOf(texts.get(file) ?? "", text);
    expect(letterErrors / letters).toBeLessThan(0.5);
  });

  test.each([
    ["te-2.mp3", undefined],
    ["te-3.mp3", "te"],
  ])("%s: Telugu is not recognized (hint: %s)", async (file, language) => {
    await expect(transcriber.transcribe(path.join(speechFolder, file), { ...live(), language })).rejects.toMatchObject({
      code: "notRecognized",
      model: "whisper-base",
    });
  });
});
