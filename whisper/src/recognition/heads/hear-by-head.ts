import type { Tensor } from "onnxruntime-node";
import type { Segment, Word } from "../../transcriber.ts";
import type { HeardWindow } from "../hear-window.ts";
import { leastSpeechSeconds, silenceIfVeryDoubtful, type Verdict } from "../read-window.ts";
import { sampleRate } from "../signal/audio-format.ts";
import type { Span } from "../signal/speech-spans.ts";
import { speechBetween, type SpeechWindow } from "../speech-window.ts";
import type { WindowReader } from "../decoder/window-decoder.ts";
import { placeWords } from "../words/place-words.ts";
import type { HeadManifest } from "./head-folder.ts";
import type { HeadReading } from "./head-reading.ts";
import type { HeadReadOptions } from "./speech-head.ts";

/** Reads a language from what a model's encoder hears. */
export interface Head {
  readonly manifest: Pick<HeadManifest, "language" | "lowestGap" | "sentenceEnd">;
  read(states: Tensor, samples: number, options: HeadReadOptions): Promise<HeadReading>;
}

interface HearByHeadOptions {
  /** Detected speech in the recording. */
  readonly spans: readonly Span[];
  readonly signal: AbortSignal;
  /** Called with the second of the recording up to which is read. */
  readonly onProgress: (seconds: number) => void;
  /** Called with what is found so far. */
  readonly onDraft?: ((text: string) => void) | undefined;
}

/** A pause of this length ends a sentence. */
const sentencePauseSeconds = 0.6;

/** Reads a window by a head. The model's decoder is only asked whether anybody speaks, and only where the words are in doubt. */
export async function hearByHead(
  head: Head,
  reader: WindowReader,
  window: SpeechWindow,
  { spans, signal, onProgress, onDraft }: HearByHeadOptions,
): Promise<HeardWindow> {
  const { words, gap } = await head.read(reader.states, Math.round(window.length * sampleRate), {
    signal,
    onWords(texts, seconds) {
      onProgress(window.endInRecording(seconds));
      onDraft?.(texts.join(" "));
    },
  });
  const isKept = gap !== null && words.length > 0 && gap >= head.manifest.lowestGap;
  const noSpeech = isKept ? null : await reader.noSpeechProbability(head.manifest.language);
  const verdict: Verdict =
    noSpeech === null
      ? { kind: "kept" }
      : doubtful(noSpeech, words.length, speechBetween(spans, window.start, window.end));
  const placedWords = isKept
    ? placeWords(
        words.map(({ text, start, end, probability }) => {
          const from = window.startInRecording(start);
          const to = window.endInRecording(end);
          return { text, probability, start: from, end: to, earliest: from, latest: to };
        }),
        spans,
      )
    : [];
  const sentences = sentencesOf(placedWords, pauseAfter(window, spans), head.manifest.sentenceEnd);
  return {
    verdict,
    noSpeech,
    confidence: gap,
    segments: sentences.map(segmentOf),
    words: sentences.flat(),
    heardUntil: window.end,
    isStuck: false,
    missingSeconds: 0,
    jumpedSeconds: 0,
  };
}

function doubtful(noSpeech: number, words: number, speechSeconds: number): Verdict {
  if (noSpeech > silenceIfVeryDoubtful) return { kind: "silence", reason: "noSpeech" };
  if (words > 0) return { kind: "gap", reason: "lowConfidence" };
  return speechSeconds >= leastSpeechSeconds
    ? { kind: "gap", reason: "noText" }
    : { kind: "silence", reason: "tooShort" };
}

/** Seconds without speech after a window. */
function pauseAfter({ end }: SpeechWindow, spans: readonly Span[]): number {
  const next = spans.find((span) => span.end > end);
  return next ? Math.max(0, next.start - end) : Infinity;
}

/** Words between long pauses, each with the space before it; the last one of a sentence has the sign of its end. */
function sentencesOf(words: readonly Word[], pauseAtEnd: number, sentenceEnd: string): Word[][] {
  const sentences: Word[][] = [];
  let sentence: Word[] = [];
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    const pause = next ? next.start - word.end : pauseAtEnd;
    const isLast = pause >= sentencePauseSeconds;
    sentence.push({ ...word, text: ` ${word.text}${isLast ? sentenceEnd : ""}` });
    if (!isLast && next) continue;
    sentences.push(sentence);
    sentence = [];
  }
  return sentences;
}

const segmentOf = (words: readonly Word[]): Segment => ({
  start: words[0]!.start,
  end: words.at(-1)!.end,
  text: words
    .map(({ text }) => text)
    .join("")
    .trim(),
});
