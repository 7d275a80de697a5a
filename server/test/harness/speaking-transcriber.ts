import type { Passage, Transcriber } from "../../src/ports.ts";

type Speech = Awaited<ReturnType<Transcriber["transcribe"]>>;

export interface SpeakingTranscriber extends Transcriber {
  /** Recognizes the next tenth of the current reel. */
  say(text: string, language?: string): void;
  /** Has written this much of the next passage; without a text, the draft was discarded. */
  write(text?: string): void;
  /** Completes the current transcription with everything recognized so far. */
  finish(): void;
  /** Fails it instead. */
  fail(error: Error): void;
  /** Resolves when a reel is being transcribed. */
  inHand(): Promise<void>;
}

/**
 * Recognizes text whenever the test says so, because a real recognizer's windows end at unpredictable moments. One reel at a
 * time.
 */
export function createSpeakingTranscriber(): SpeakingTranscriber {
  let tell: ((passage: Passage) => void) | undefined;
  let draft: ((passage: Passage | undefined) => void) | undefined;
  let finish = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  let begun = (): void => undefined;
  let beginning = new Promise<void>((resolve) => (begun = resolve));
  return {
    model: "speaking",
    revision: 1,
    say: (text, language = "en") => tell?.({ language, text }),
    write: (text) => draft?.(text === undefined ? undefined : { language: "en", text }),
    finish: () => finish(),
    fail: (error) => fail(error),
    inHand: () => beginning,
    measure: async () => ({ seconds: 3, isLonger: false }),
    async transcribe(_file, { onPassage, onDraft, onProgress, signal }) {
      const said: Passage[] = [];
      onProgress(0.2);
      const ended = new Promise<void>((resolve, reject) => {
        finish = resolve;
        fail = reject;
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        if (signal.aborted) reject(signal.reason as Error);
      });
      tell = (passage) => {
        said.push(passage);
        onPassage?.(passage);
        onProgress(0.2 + said.length / 10);
      };
      draft = onDraft;
      begun();
      try {
        await ended;
      } finally {
        tell = undefined;
        draft = undefined;
        beginning = new Promise((resolve) => (begun = resolve));
      }
      return speechOf(said);
    },
  };
}

function speechOf(said: readonly Passage[]): Speech {
  return {
    text: said.map(({ text }) => text).join(" "),
    segments: said.map(({ text }, index) => ({ start: index * 10, end: index * 10 + 10, text })),
    words: null,
    gaps: [],
    language: said[0]?.language ?? "und",
    languageProbability: 0.9,
    seconds: 60,
    speechSeconds: said.length * 10,
    truncated: false,
    model: "speaking",
    revision: 1,
    hintDecided: false,
  };
}
