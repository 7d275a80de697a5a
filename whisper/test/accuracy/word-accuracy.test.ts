import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { frameSamples } from "../../src/recognition/signal/audio-format.ts";
import { Leveler } from "../../src/recognition/signal/leveler.ts";
import { openSession } from "../../src/recognition/decoder/onnx-files.ts";
import { type Span, speechSpans } from "../../src/recognition/signal/speech-spans.ts";
import { VoiceDetector } from "../../src/recognition/signal/voice-detector.ts";
import { WhisperModel } from "../../src/recognition/decoder/whisper-model.ts";
import { WindowDecoder } from "../../src/recognition/decoder/window-decoder.ts";
import { joinWords, type SegmentToTime, wordsOf } from "../../src/recognition/words/word-times.ts";
import type { Word } from "../../src/transcriber.ts";
import {
  decoded,
  hasSpeech,
  readWav,
  reelPath,
  sampleRate,
  skippedWithoutSpeech,
  speechFolder,
} from "../recordings.ts";
import { phrasesIn, placeInSilence, type PlacedPhrases } from "./spoken-words.ts";

const modelsFolder = fileURLToPath(new URL("../../models", import.meta.url));
const medianSeconds = 0.12;

let model: WhisperModel;
let detector: VoiceDetector;

beforeAll(async () => {
  model = await WhisperModel.load(path.join(modelsFolder, "whisper-base"), 1);
  detector = new VoiceDetector(await openSession(path.join(modelsFolder, "silero-vad", "silero_vad_v6.onnx"), 1));
});
afterAll(async () => {
  await model.release();
});

/** A text's tokens cut at its timestamps. */
function segmentsOf(tokens: readonly number[], end: number): SegmentToTime[] {
  const { firstTimestamp } = model.specification;
  const segments: { start: number; end: number; tokens: number[] }[] = [];
  for (const token of tokens) {
    const last = segments.at(-1);
    const seconds = (token - firstTimestamp) * 0.02;
    if (token < firstTimestamp) last?.tokens.push(token);
    else if (last && last.tokens.length === 0) last.start = seconds;
    else if (last && last.end === Infinity) last.end = seconds;
    else segments.push({ start: seconds, end: Infinity, tokens: [] });
  }
  return segments
    .filter((segment) => segment.tokens.length > 0)
    .map((segment) => ({
      ...segment,
      end: Math.min(segment.end, end),
      probabilities: [],
      text: model.tokenizer.decode(segment.tokens).trim(),
    }));
}

async function hear(samples: Float32Array, language: string) {
  const audio = new Leveler();
  audio.append(samples);
  audio.finish();
  const seconds = samples.length / sampleRate;
  const frames = Math.floor(samples.length / frameSamples);
  const spans = speechSpans(await detector.probabilities(audio, 0, frames), seconds);
  const states = await model.states(audio.read(0, samples.length));
  const encoded = await model.decoder.listen(states);
  const { signal } = new AbortController();
  const { tokens } = await new WindowDecoder(model, states).read(language, {
    beam: 1,
    signal,
    temperature: 0,
    random: () => 0,
  });
  const segments = segmentsOf(tokens, seconds);
  const words = await wordsOf(model, encoded, { language, segments, seconds, toRecording: (second) => second, spans });
  return { words: joinWords([words ?? []]), segments, spans };
}

function expectInSpeech(words: readonly Word[], spans: readonly Span[]): void {
  let free = 0;
  for (const { start, end, text } of words) {
    expect(start, text).toBeGreaterThanOrEqual(free);
    expect(end, text).toBeGreaterThanOrEqual(start);
    expect(spans.some((span) => span.start <= start && end <= span.end) || start === end, text).toBe(true);
    free = end;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Infinity;
}

/** How far each phrase's beginning is from the nearest beginning of a word. */
function startErrors({ phrases }: PlacedPhrases, words: readonly Word[]): number[] {
  return phrases.map(({ start }) => Math.min(...words.map((word) => Math.abs(word.start - start))));
}

const reel = async (name: string): Promise<Float32Array> => (await decoded(reelPath(name)))[0]!;

describe("words placed at known moments in silence", () => {
  test("single words begin where they were placed", async () => {
    const errors: number[] = [];
    for (const [name, language, word] of [
      ["en-one-second", "en", /goodbye|bye/iu],
      ["es-felicidades", "es", /felicidades/iu],
      ["it-congratulazioni", "it", /gratulazioni/iu],
    ] as const) {
      const samples = await reel(name);
      const [phrase = { start: 0, end: 0 }] = phrasesIn(samples);
      expect(phrase.end - phrase.start, name).toBeLessThan(1.8);
      // Repeating the word three times gives pauses on both sides.
      const recording = placeInSilence(Array.from({ length: 3 }, () => ({ samples, phrase })));
      const { words, segments, spans } = await hear(recording.samples, language);
      expect(words.map(({ text }) => text).join("")).toBe(segments.map(({ text }) => text).join(" "));
      expect(words.map(({ text }) => text).join("")).toMatch(word);
      expectInSpeech(words, spans);
      errors.push(...startErrors(recording, words));
    }
    expect(errors).toHaveLength(9);
    expect(median(errors)).toBeLessThan(medianSeconds);
  });

  test("the first words of sentences begin where they were placed", async () => {
    const errors: number[] = [];
    for (const [name, language] of [
      ["en-weasels", "en"],
      ["en-amiable", "en"],
      ["it-congratulazioni", "it"],
    ] as const) {
      const samples = await reel(name);
      const recording = placeInSilence(phrasesIn(samples).map((phrase) => ({ samples, phrase })));
      const { words, segments, spans } = await hear(recording.samples, language);
      expect(words.map(({ text }) => text).join("")).toBe(segments.map(({ text }) => text).join(" "));
      expectInSpeech(words, spans);
      errors.push(...startErrors(recording, words));
    }
    expect(errors.length).toBeGreaterThan(10);
    expect(median(errors)).toBeLessThan(medianSeconds);
  });
});

test.skipIf(!hasSpeech)(`words have the reference's times${skippedWithoutSpeech}`, async () => {
  const read = (name: string) => readFileSync(new URL(`../golden/${name}`, import.meta.url), "utf8").trim();
  const row = read("greedy.tsv")
    .split("\n")
    .find((line) => line.startsWith("en-2.wav"));
  const { endOfText } = model.specification;
  const tokens = (row?.split("\t")[6] ?? "")
    .split(" ")
    .map(Number)
    .filter((token) => token < endOfText);
  const encoded = await model.decoder.listen(await model.states(readWav(path.join(speechFolder, "en-2.wav"))));
  const text = model.tokenizer.decode(tokens).trim();
  const segments = [{ start: 0, end: 11, text, tokens, probabilities: tokens.map(() => 0.5) }];
  const window = { language: "en", segments, seconds: 11, toRecording: (second: number) => second, spans: [] };
  const words = joinWords([(await wordsOf(model, encoded, window)) ?? []]);
  const golden = read("words-en-2.tsv")
    .split("\n")
    .map((line) => line.split("\t"));
  expect(words.map((word) => word.text.trim())).toEqual(golden.map(([word]) => word));
  for (const [index, [word, start, end]] of golden.entries()) {
    expect(Math.abs((words[index]?.start ?? -1) - Number(start)), word).toBeLessThan(0.041);
    expect(Math.abs((words[index]?.end ?? -1) - Number(end)), word).toBeLessThan(0.041);
  }
});
