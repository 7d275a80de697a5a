import { Tensor } from "onnxruntime-node";
import { recognizeSpeech } from "../../src/recognition/recognize-speech.ts";
import type { Timeline } from "../../src/recognition/speech-timeline.ts";
import type { Span } from "../../src/recognition/signal/speech-spans.ts";
import { nextWindow } from "../../src/recognition/speech-window.ts";
import type { DecodeOptions, Reading } from "../../src/recognition/decoder/window-decoder.ts";
import type { FinishedWindows, HeardPassage } from "../../src/transcriber.ts";
import { at, letters, specification, tokenizer } from "./small-specification.ts";

export interface Script {
  /** Timestamps in seconds of the window, and texts. */
  readonly parts: readonly (number | string)[];
  readonly noSpeech?: number;
  readonly confidence?: number;
  readonly isLoop?: boolean;
  readonly isCutOff?: boolean;
  /** That of each token. */
  readonly probability?: number;
}

function readingOf({
  parts,
  noSpeech = 0.01,
  confidence = -0.2,
  isLoop = false,
  isCutOff = false,
  probability = 1,
}: Script): Reading {
  const tokens = parts.flatMap((part) => (typeof part === "string" ? letters(part) : [at(part)]));
  return {
    tokens,
    probabilities: tokens.map(() => probability),
    text: tokenizer.decode(tokens),
    noSpeech,
    confidence,
    isLoop,
    isCutOff,
  };
}

/**
 * Recognizes speech in `spans` with a model that reads the windows by `script`, given the window's number and length.
 * `passages` collects the reported ones, `finished` the state after each window; `resume` is the state to continue from.
 */
export async function recognized(
  spans: readonly Span[],
  script: (index: number, seconds: number) => Script,
  passages: HeardPassage[] = [],
  drafts: (string | undefined)[] = [],
  finished: FinishedWindows[] = [],
  resume?: FinishedWindows,
  { translates = false } = {},
) {
  let listened = 0;
  const states = new Tensor("float32", new Float32Array(0), [1, 0, 512]);
  const timeline: Timeline = {
    seconds: (spans.at(-1)?.end ?? 0) + 1,
    spans,
    nextWindow: async (from, longest) => nextWindow(spans, from, longest)?.window,
    samples: (window) => new Float32Array(Math.round(window.length * 100)),
  };
  const model = {
    name: "scripted",
    specification,
    tokenizer,
    listen: async (samples: Float32Array) => {
      const reading = readingOf(script(listened, samples.length / 100));
      listened += 1;
      return {
        states,
        languageProbabilities: async () => {
          if (translates) throw new Error("the language is known");
          return new Map([["en", 1]]);
        },
        noSpeechProbability: async () => reading.noSpeech,
        read: async (_: string, { onText }: DecodeOptions) => {
          onText?.(reading.text, reading.noSpeech);
          return reading;
        },
        words: async () => {
          if (translates) throw new Error("a translation has no times of words");
          return null;
        },
      };
    },
  };
  const models = {
    default: model,
    isSpecialized: () => false,
    headDetection: () => undefined,
    headFor: async () => undefined,
    ownHeadName: () => undefined,
    forLanguage: async () => model,
  };
  const recognition = await recognizeSpeech(timeline, models, {
    task: translates ? "translate" : "transcribe",
    language: translates ? "en" : undefined,
    beam: 1,
    spellings: [],
    unreliable: [],
    elsewhere: [],
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onPassage: (passage) => passages.push(passage),
    onDraft: (draft) => drafts.push(draft?.text),
    onWindow: () => undefined,
    onFinished: (windows) => finished.push(windows),
    resume,
  });
  return { recognition, listened };
}

export const textOf = (passages: readonly HeardPassage[]): string =>
  passages.flatMap(({ segments }) => segments.map(({ text }) => text)).join(" ");

export const talk: readonly Span[] = [
  { start: 0.5, end: 9.8 },
  { start: 10, end: 20 },
  { start: 20.2, end: 29.9 },
];
export const sentences = (...ends: readonly number[]) =>
  ends.flatMap((end, index) => [ends[index - 1] ?? 0, ` Said until ${end}.`, end]);
