import type { Segment, Word } from "../transcriber.ts";
import { readWindow, type Verdict } from "./read-window.ts";
import { windowSegments } from "./segments.ts";
import type { Specification } from "./decoder/specification.ts";
import type { Span } from "./signal/speech-spans.ts";
import { speechBetween, type SpeechWindow } from "./speech-window.ts";
import type { Tokenizer } from "./decoder/tokenizer.ts";
import type { WindowReader } from "./decoder/window-decoder.ts";
import { windowProgress } from "./window-progress.ts";

/** What was made of one window, in seconds of the recording. */
export interface HeardWindow {
  readonly verdict: Verdict;
  readonly noSpeech: number;
  readonly confidence: number;
  readonly segments: readonly Segment[];
  /** `null` when the model can't tell when words are said. */
  readonly words: readonly Word[] | null;
  /** Where the next window may begin. */
  readonly heardUntil: number;
  /** The model stopped early, and would again from where it stopped. */
  readonly isStuck: boolean;
  /** Seconds of speech that seem to be missing between the words. */
  readonly missingSeconds: number;
}

export interface HearWindowOptions {
  readonly language: string;
  readonly specification: Specification;
  readonly tokenizer: Tokenizer;
  /** Where speech is detected in the recording. */
  readonly spans: readonly Span[];
  readonly signal: AbortSignal;
  /** Called with the second of the recording up to which is read. */
  readonly onProgress: (seconds: number) => void;
  /** Called with what is written so far. */
  readonly onDraft?: ((text: string) => void) | undefined;
}

/** The longest that a word is said without another one beside it that wasn't written: so much, and more by its length. */
const longestWordSeconds = 0.6;
const longestLetterSeconds = 0.1;

/** Reads a window, finds how much of it was written down, and when its words are said. */
export async function hearWindow(
  reader: WindowReader,
  window: SpeechWindow,
  { language, specification, tokenizer, spans, signal, onProgress, onDraft }: HearWindowOptions,
): Promise<HeardWindow> {
  const reading = await readWindow(reader, language, {
    signal,
    speechSeconds: speechBetween(spans, window.start, window.end),
    onTimestamp: (seconds) => {
      onProgress(window.endInRecording(seconds));
    },
    onDraft,
  });
  const { verdict, noSpeech, confidence } = reading;
  const judged = { verdict, noSpeech, confidence };
  if (verdict.kind !== "kept")
    return { ...judged, segments: [], words: [], heardUntil: window.end, isStuck: false, missingSeconds: 0 };

  const cut = windowSegments(reading, window.length, specification, tokenizer);
  const { segments, heardUntil, isStuck, jumpedSeconds } = windowProgress(cut, window, spans, reading.isCutOff);
  const placed = segments.map((segment) => ({
    ...segment,
    start: window.startInRecording(segment.start),
    end: window.endInRecording(segment.end),
  }));
  const words = await reader.words({
    language,
    segments: placed,
    seconds: window.length,
    toRecording: (seconds) => window.startInRecording(seconds),
    spans,
  });
  return {
    ...judged,
    segments: placed.map(({ start, end, text }) => ({ start, end, text })),
    words,
    heardUntil,
    isStuck,
    missingSeconds: jumpedSeconds + missingSeconds(words ?? []),
  };
}

/** A model that leaves out words gives their time to the words beside them. */
function missingSeconds(words: readonly Word[]): number {
  return words.reduce((sum, { start, end, text }) => {
    const longest = longestWordSeconds + text.trim().length * longestLetterSeconds;
    return sum + Math.max(0, end - start - longest);
  }, 0);
}
