import type { Segment, Word } from "../transcriber.ts";
import { readWindow, type Verdict } from "./read-window.ts";
import { windowSegments, type WindowSegment, type WindowSegments } from "./segments.ts";
import type { SpellingTree } from "./decoder/spelling-tree.ts";
import type { Specification } from "./decoder/specification.ts";
import type { Span } from "./signal/speech-spans.ts";
import { speechBetween, type SpeechWindow } from "./speech-window.ts";
import type { Tokenizer } from "./decoder/tokenizer.ts";
import type { Task, WindowReader } from "./decoder/window-decoder.ts";

/** The result of one window, in seconds of the recording. */
export interface HeardWindow {
  readonly verdict: Verdict;
  /** These two are those of `HeardWindowReport`. */
  readonly noSpeech: number | null;
  readonly confidence: number | null;
  readonly segments: readonly Segment[];
  /** `null` when the model can't tell when words are said. */
  readonly words: readonly Word[] | null;
  /** The earliest start of the next window. */
  readonly heardUntil: number;
  /** The model stopped early, and would again from where it stopped. */
  readonly isStuck: boolean;
  /** Seconds of speech that seem to be missing between the words, those that were jumped over among them. */
  readonly missingSeconds: number;
  /** Seconds of speech that the model jumped over after `segments`; the next window begins there. */
  readonly jumpedSeconds: number;
}

interface HearWindowOptions {
  readonly language: string;
  readonly task: Task;
  /** Readings that are followed at a time. */
  readonly beam: number;
  readonly spellings: SpellingTree | undefined;
  readonly specification: Specification;
  readonly tokenizer: Tokenizer;
  /** Detected speech in the recording. */
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
  { language, task, beam, spellings, specification, tokenizer, spans, signal, onProgress, onDraft }: HearWindowOptions,
): Promise<HeardWindow> {
  const reading = await readWindow(reader, language, {
    task,
    beam,
    spellings,
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
    return {
      ...judged,
      segments: [],
      words: [],
      heardUntil: window.end,
      isStuck: false,
      missingSeconds: 0,
      jumpedSeconds: 0,
    };

  const cut = windowSegments(reading, window.length, specification, tokenizer);
  const { segments, heardUntil, isStuck, jumpedSeconds } = windowProgress(cut, window, spans, reading.isCutOff);
  const placedSegments = segments.map((segment) => ({
    ...segment,
    start: window.startInRecording(segment.start),
    end: window.endInRecording(segment.end),
  }));
  // A translation has its words in another order, so attention doesn't say when they are said.
  const words =
    task === "translate"
      ? null
      : await reader.words({
          language,
          segments: placedSegments,
          seconds: window.length,
          toRecording: (seconds) => window.startInRecording(seconds),
          spans,
        });
  return {
    ...judged,
    segments: placedSegments.map(({ start, end, text, probabilities }) => ({
      start,
      end,
      text: task === "translate" ? text.replaceAll(zeroWidthSpace, "") : text,
      ...(task === "translate" && isUnsure(probabilities) && { isUnsure: true as const }),
    })),
    words,
    heardUntil,
    isStuck,
    missingSeconds: jumpedSeconds + missingSeconds(words ?? []),
    jumpedSeconds,
  };
}

/** The model has learned it from the translations of others. */
const zeroWidthSpace = "\u200B";

/** Mean natural logarithm of the tokens' probabilities below which a translated sentence is marked as unsure. */
const unsureBelow = -0.7;

const isUnsure = (probabilities: readonly number[]): boolean =>
  probabilities.reduce((sum, probability) => sum + Math.log(probability), 0) < unsureBelow * probabilities.length;

/** A model that leaves out words gives their time to the words beside them. */
function missingSeconds(words: readonly Word[]): number {
  return words.reduce((sum, { start, end, text }) => {
    const longest = longestWordSeconds + text.trim().length * longestLetterSeconds;
    return sum + Math.max(0, end - start - longest);
  }, 0);
}

interface WindowProgress {
  readonly segments: readonly WindowSegment[];
  /** The earliest start of the next window, in seconds of the recording; up to here nothing is left to be heard again. */
  readonly heardUntil: number;
  /** The model stopped early and hearing the window again from where it stopped would be the same again. */
  readonly isStuck: boolean;
  /** Seconds of detected speech that the model jumped over, at the end of `segments`. */
  readonly jumpedSeconds: number;
}

/** Less progress than this doesn't change what the model hears. */
const leastProgressSeconds = 1;
/** So much detected speech after the last closed timestamp means that the model stopped too early. */
const unheardSeconds = 1;
/** So much detected speech between two segments means that the model jumped over it. */
const jumpedOverSeconds = 1;

/**
 * How much of a window a reading has really written down, by where speech was detected: models stop early, jump over
 * sentences, leave the last one open or run out of tokens. `isCutOff`: the text ended because it was too long.
 */
function windowProgress(
  { segments, open, closedAt }: WindowSegments,
  window: SpeechWindow,
  spans: readonly Span[],
  isCutOff: boolean,
): WindowProgress {
  const isFarEnough = (seconds: number) => window.endInRecording(seconds) - window.start >= leastProgressSeconds;
  let last = 0;
  for (const [index, { start, end }] of segments.entries()) {
    const jumped = speechBetween(spans, window.endInRecording(last), window.startInRecording(start));
    if (jumped > jumpedOverSeconds && isFarEnough(last))
      return {
        segments: segments.slice(0, index),
        heardUntil: window.endInRecording(last),
        isStuck: false,
        jumpedSeconds: jumped,
      };

    last = end;
  }
  const everything = open ? [...segments, open] : segments;
  if (closedAt === undefined)
    return { segments: everything, heardUntil: window.end, isStuck: isCutOff, jumpedSeconds: 0 };
  const stopped = window.endInRecording(closedAt);
  const unheard = speechBetween(spans, stopped, window.end);
  if (unheard <= unheardSeconds && !open) return { segments, heardUntil: window.end, isStuck: false, jumpedSeconds: 0 };
  if (isFarEnough(closedAt)) return { segments, heardUntil: stopped, isStuck: false, jumpedSeconds: 0 };
  return { segments: everything, heardUntil: window.end, isStuck: true, jumpedSeconds: 0 };
}
