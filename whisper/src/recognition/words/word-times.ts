import type { Word } from "../../transcriber.ts";
import { type HeardWord, placeWords } from "./place-words.ts";
import type { Span } from "../signal/speech-spans.ts";
import { splitWords } from "./split-words.ts";
import { type Alignment, tokenTimes } from "./token-times.ts";
import type { Specification } from "../decoder/specification.ts";
import type { Tokenizer } from "../decoder/tokenizer.ts";
import type { Encoded } from "../decoder/whisper-decoder.ts";

export interface SegmentToTime {
  /** Seconds of the recording. */
  readonly start: number;
  readonly end: number;
  /** Trimmed. */
  readonly text: string;
  readonly tokens: readonly number[];
  /** Probability of each token. */
  readonly probabilities: readonly number[];
}

export interface WindowToTime {
  readonly language: string;
  /** Everything that was read in the window, in order. */
  readonly segments: readonly SegmentToTime[];
  /** Length of the window's audio. */
  readonly seconds: number;
  /** The second of the recording that a second of the window is; never falls. */
  readonly toRecording: (secondsOfWindow: number) => number;
  /** Detected speech in seconds of the recording, in order. */
  readonly spans: readonly Span[];
}

export interface TimingModel {
  readonly specification: Specification;
  readonly tokenizer: Tokenizer;
  /** Feeds a whole text; `null` when the model doesn't tell where it listens. */
  align(encoded: Encoded, tokens: readonly number[]): Promise<Alignment | null>;
}

/**
 * The words of a window with their times, by one more pass of the decoder over its text; `null` when the model can't tell.
 * Each segment's first word begins with a space: `joinWords` makes the words of a transcript of those of its windows.
 */
export async function wordsOf(model: TimingModel, encoded: Encoded, window: WindowToTime): Promise<Word[] | null> {
  const { startOfTranscript, languages, transcribe, noTimestamps, endOfText, longestInput } = model.specification;
  const language = languages.get(window.language);
  if (language === undefined) return null;
  const { segments } = window;
  const text = segments.flatMap(({ tokens }) => tokens);
  const prompt = [startOfTranscript, language, transcribe, noTimestamps];
  const input = [...prompt, ...text, endOfText];
  if (text.length === 0 || input.length > longestInput) {
    if (model.specification.alignmentHeads.length === 0) return null;
    return place(window, null, model.tokenizer);
  }
  const alignment = await model.align(encoded, input);
  if (alignment === null) return null;
  return place(window, tokenTimes(alignment, prompt.length, window.seconds), model.tokenizer);
}

/** The words of a transcript: concatenated, they are the text of all segments joined by spaces. */
export function joinWords(windows: readonly (readonly Word[])[]): Word[] {
  let free = 0;
  return windows.flat().map(({ start, end, text, ...word }, index) => {
    const from = Math.max(start, free);
    free = Math.max(end, from);
    return { ...word, start: from, end: free, text: index === 0 ? text.trimStart() : text };
  });
}

function place(
  { segments, toRecording, spans }: WindowToTime,
  times: readonly number[] | null,
  tokenizer: Tokenizer,
): Word[] {
  const words: HeardWord[] = [];
  let firstToken = 0;
  for (const { start, end, text, tokens, probabilities } of segments) {
    const tokenTimes = times?.slice(firstToken, firstToken + tokens.length + 1) ?? [];
    firstToken += tokens.length;
    const written = writtenText(text, tokens, tokenizer);
    // Without better knowledge, all characters of a segment take the same time.
    const timeAt = (character: number) =>
      written && tokenTimes.length > 1
        ? toRecording(written.timeOf(character, tokenTimes))
        : start + ((end - start) * character) / text.length;
    for (const { from, to, spokenFrom } of splitWords(text)) {
      const probability = written?.leastOf(from, to, probabilities);
      words.push({
        start: timeAt(spokenFrom),
        end: timeAt(to),
        text: `${from === 0 ? " " : ""}${text.slice(from, to)}`,
        ...(probability !== undefined && { probability }),
        earliest: start,
        latest: end,
      });
    }
  }
  return placeWords(words, spans);
}

/** Which tokens wrote which characters of a segment's text; `null` when the tokens are of another text. */
function writtenText(text: string, tokens: readonly number[], tokenizer: Tokenizer) {
  const decoded = tokenizer.decode(tokens);
  if (decoded.trim() !== text) return null;
  const indent = decoded.length - decoded.trimStart().length;
  const ends = characterEnds(decoded, tokens, tokenizer);
  return {
    /** When a character begins, in seconds of the window. */
    timeOf(character: number, times: readonly number[]): number {
      const at = character + indent;
      const token = ends.filter((end) => end <= at).length;
      const begins = ends[token - 1] ?? 0;
      const from = times[token] ?? times.at(-1) ?? 0;
      const to = times[token + 1] ?? from;
      const length = (ends[token] ?? begins) - begins;
      // A token's own space takes no time.
      if (length === 0 || decoded.slice(begins, at).trim() === "") return from;
      return from + ((to - from) * (at - begins)) / length;
    },
    /** The least likely token of a word, whose punctuation may be doubtful without harm. */
    leastOf(from: number, to: number, probabilities: readonly number[]): number | undefined {
      let least: number | undefined;
      for (const [token, end] of ends.entries()) {
        const begins = Math.max(from + indent, ends[token - 1] ?? 0);
        const tokenText = decoded.slice(begins, Math.min(to + indent, end));
        const probability = probabilities[token];
        if (probability !== undefined && /[\p{L}\p{N}\p{M}]/u.test(tokenText))
          least = Math.min(least ?? 1, probability);
      }
      return least;
    },
  };
}

/** How many characters of the text are whole after each token: one character's bytes may be spread over several. */
function characterEnds(decoded: string, tokens: readonly number[], tokenizer: Tokenizer): number[] {
  let whole = 0;
  return tokens.map((_, index) => {
    const prefix = index === tokens.length - 1 ? decoded : tokenizer.decode(tokens.slice(0, index + 1));
    while (whole < prefix.length && prefix[whole] === decoded[whole]) whole += 1;
    return whole;
  });
}
