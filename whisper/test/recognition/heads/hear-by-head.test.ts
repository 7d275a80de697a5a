import { Tensor } from "onnxruntime-node";
import { describe, expect, test } from "vitest";
import { hearByHead } from "../../../src/recognition/heads/hear-by-head.ts";
import type { HeadReading, HeadWord } from "../../../src/recognition/heads/head-reading.ts";
import { SpeechWindow } from "../../../src/recognition/speech-window.ts";
import type { Span } from "../../../src/recognition/signal/speech-spans.ts";

const word = (text: string, start: number, end: number): HeadWord => ({ text, start, end, probability: 0.9 });

/**
 * Hears a window over `spans`, which `later` ones follow, in which a head finds `reading`; `questions` counts how often the decoder
 * is asked.
 */
async function hear(
  spans: readonly Span[],
  reading: HeadReading,
  { noSpeech = 0.01, later = [] }: { noSpeech?: number; later?: readonly Span[] } = {},
) {
  let questions = 0;
  const drafts: string[] = [];
  const window = new SpeechWindow(spans);
  const result = await hearByHead(
    {
      manifest: { language: "hi", lowestGap: -2.6, sentenceEnd: "।" },
      read: async (_states, _samples, { onWords }) => {
        onWords?.(
          reading.words.map(({ text }) => text),
          1,
        );
        return reading;
      },
    },
    {
      states: new Tensor("float32", new Float32Array(0), [1, 0, 512]),
      languageProbabilities: () => Promise.reject(new Error("asked for languages")),
      noSpeechProbability: async () => {
        questions += 1;
        return noSpeech;
      },
      read: () => Promise.reject(new Error("asked the decoder to read")),
      words: () => Promise.reject(new Error("asked the decoder for words")),
    },
    window,
    {
      spans: [...spans, ...later],
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onDraft: (text) => drafts.push(text),
    },
  );
  return { ...result, questions, drafts };
}

describe("a window that a head reads", () => {
  const talk = [
    { start: 1, end: 4 },
    { start: 8, end: 11 },
  ];

  test("has its words where they are said, and a danda at each long pause", async () => {
    // The pause of 4 s is heard as 0.3 s.
    const words = [word("नमस्ते", 0.3, 1), word("दोस्तों", 1.2, 2.8), word("आज", 3.5, 4), word("हम", 4.2, 6)];
    const { segments, words: placedWords, questions, drafts, verdict } = await hear(talk, { words, gap: -0.9 });
    expect(verdict).toEqual({ kind: "kept" });
    expect(segments.map(({ text }) => text)).toEqual(["नमस्ते दोस्तों।", "आज हम।"]);
    expect(placedWords?.map(({ text }) => text).join("")).toBe(" नमस्ते दोस्तों। आज हम।");
    expect(placedWords?.[2]?.start).toBeCloseTo(8.2, 1);
    for (const { start, end } of placedWords ?? [])
      expect(talk.some((span) => span.start <= start && end <= span.end)).toBe(true);
    expect(questions, "no decoder runs").toBe(0);
    expect(drafts).toEqual(["नमस्ते दोस्तों आज हम"]);
  });

  test("ends no sentence where speech goes on in the next one", async () => {
    const reading = { words: [word("आज", 1, 2)], gap: -0.5 };
    const textBefore = async (later: readonly Span[]) =>
      (await hear([{ start: 0, end: 5 }], reading, { later })).segments[0]?.text;
    expect(await textBefore([])).toBe("आज।");
    expect(await textBefore([{ start: 5.2, end: 9 }])).toBe("आज");
    expect(await textBefore([{ start: 5.7, end: 9 }])).toBe("आज।");
  });

  test("is a gap where its words are far from what was heard", async () => {
    const words = [word("नमस्ते", 0.3, 1)];
    const { verdict, segments, questions } = await hear(talk, { words, gap: -2.61 });
    expect(verdict).toEqual({ kind: "gap", reason: "lowConfidence" });
    expect(segments).toEqual([]);
    expect(questions).toBe(1);
    expect((await hear(talk, { words, gap: -2.6 })).verdict).toEqual({ kind: "kept" });
  });

  test("is silent where the decoder hears nobody speak either", async () => {
    const words = [word("नमस्ते", 0.3, 1)];
    expect((await hear(talk, { words, gap: -3 }, { noSpeech: 0.7 })).verdict).toEqual({
      kind: "silence",
      reason: "noSpeech",
    });
    expect((await hear(talk, { words: [], gap: null }, { noSpeech: 0.7 })).verdict).toEqual({
      kind: "silence",
      reason: "noSpeech",
    });
    expect((await hear(talk, { words: [], gap: null })).verdict).toEqual({ kind: "gap", reason: "noText" });
    expect((await hear([{ start: 1, end: 2 }], { words: [], gap: null })).verdict).toEqual({
      kind: "silence",
      reason: "tooShort",
    });
  });
});
