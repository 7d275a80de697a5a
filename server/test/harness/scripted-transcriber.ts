import type { Speech, Transcriber } from "../../src/ports.ts";

export type ScriptedSpeech = Partial<Speech> | Error | (() => Promise<Partial<Speech>>);

export interface ScriptedTranscriber extends Transcriber {
  /** Increases as after an update of the service. */
  revision: number;
  /** Sets the speech of the next transcriptions, one after another. */
  tell(...speeches: readonly ScriptedSpeech[]): void;
  /** The language hints that it has received. */
  readonly hints: (string | null)[];
}

/** Returns each given speech once; fails when none is left. */
export function createScriptedTranscriber(): ScriptedTranscriber {
  const script: ScriptedSpeech[] = [];
  const transcriber: ScriptedTranscriber = {
    model: "scripted",
    revision: 1,
    hints: [],
    tell: (...speeches) => void script.push(...speeches),
    measure: async () => ({ seconds: 30, isLonger: false }),
    async transcribe(_file, { language }) {
      transcriber.hints.push(language);
      const next = script.shift();
      if (next === undefined) throw new Error("nobody told what to hear");
      const speech = typeof next === "function" ? await next() : next;
      if (speech instanceof Error) throw speech;
      const text = speech.text ?? "Salt comes first.";
      return {
        text,
        segments: text === "" ? [] : [{ start: 0, end: 2, text }],
        words: null,
        gaps: [],
        language: text === "" ? "und" : "en",
        languageProbability: 0.9,
        seconds: 30,
        speechSeconds: text === "" ? 0 : 20,
        truncated: false,
        model: transcriber.model,
        revision: transcriber.revision,
        hintDecided: false,
        ...speech,
      };
    },
  };
  return transcriber;
}
