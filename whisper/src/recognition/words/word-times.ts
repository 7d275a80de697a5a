import type { Word } from "../../transcriber.ts";
import { type HeardWord, placeWords } from "./place-words.ts";
import type { Span } from "../signal/speech-spans.ts";
import { splitWords } from "./split-words.ts";
import { tokenTimes } from "./token-times.ts";
import type { Tokenizer } from "../decoder/tokenizer.ts";
import type { Encoded, WhisperModel } from "../decoder/whisper-model.ts";

export interface SegmentToTime {
  /** Seconds of the recording. */
  readonly start: number;
  readonly end: number;
  /** Trimmed. */
  readonly text: string;
  readonly tokens: readonly number[];
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

type TimingModel = Pick<WhisperModel, "align" | "specification" | "tokenizer">;

/**
 * The words of a window with their times, by one more pass of the decoder over its text; `null` when the model can't tell.
 * Each segment's first word begins with a space: `joinWords` makes the words of a transcript of those of its windows.
 */
export async function wordsOf(model: TimingModel, encoded: Encoded, window: WindowToTime): Promise<Word[] | null> {
  const { startOfTranscript, languages, transcribe, noTimestamps, endOfText, longestInput } = model.specification;
  const language = languages.get(window.language);
  if (language === undefined) return null;
  const segments = window.segments.map((segment) => ({
    ...segment,
    tokens: segment.tokens.filter((token) => token < endOfText),
  }));
  const text = segments.flatMap(({ tokens }) => tokens);
  const prompt = [startOfTranscript, language, transcribe, noTimestamps];
  const input = [...prompt, ...text, endOfText];
  if (text.length === 0 || input.length > longestInput) {
    if (model.specification.alignmentHeads.length === 0) return null;
    return place(segments, window, null, model.tokenizer);
  }
  const alignment = await model.align(encoded, input);
  if (alignment === null) return null;
  return place(segments, window, tokenTimes(alignment, prompt.length, window.seconds), model.tokenizer);
}

/** The words of a transcript: concatenated, they are the text of all segments joined by spaces. */
export function joinWords(windows: readonly (readonly Word[])[]): Word[] {
  let free = 0;
  return windows.flat().map(({ start, end, text }, index) => {
    const from = Math.max(start, free);
    free = Math.max(end, from);
    return { start: from, end: free, text: index === 0 ? text.trimStart() : text };
  });
}

function place(
  segments: readonly SegmentToTime[],
  { toRecording, spans }: WindowToTime,
  times: readonly number[] | null,
  tokenizer: Tokenizer,
): Word[] {
  const words: HeardWord[] = [];
  let firstToken = 0;
  for (const { start, end, text, tokens } of segments) {
    const known = times?.slice(firstToken, firstToken + tokens.length + 1) ?? [];
    firstToken += tokens.length;
    const heardAt = known.length > 1 ? timeOfCharacter(text, tokens, known, tokenizer) : null;
    // Without better knowledge, all characters of a segment take the same time.
    const timeAt = (character: number) =>
      heardAt ? toRecording(heardAt(character)) : start + ((end - start) * character) / text.length;
    for (const { from, to, spokenFrom } of splitWords(text)) {
      const word = `${from === 0 ? " " : ""}${text.slice(from, to)}`;
      words.push({ start: timeAt(spokenFrom), end: timeAt(to), text: word, earliest: start, latest: end });
    }
  }
  return placeWords(words, spans);
}

/** When a character of a segment's text begins, in seconds of the window; `null` when the tokens are of another text. */
function timeOfCharacter(
  text: string,
  tokens: readonly number[],
  times: readonly number[],
  tokenizer: Tokenizer,
): ((character: number) => number) | null {
  const decoded = tokenizer.decode(tokens);
  if (decoded.trim() !== text) return null;
  const indent = decoded.length - decoded.trimStart().length;
  const ends = characterEnds(decoded, tokens, tokenizer);
  return (character) => {
    const at = character + indent;
    const token = ends.filter((end) => end <= at).length;
    const begins = ends[token - 1] ?? 0;
    const [from = 0, to = from] = [times[token] ?? times.at(-1), times[token + 1]];
    const length = (ends[token] ?? begins) - begins;
    // A token's own space takes no time.
    if (length === 0 || decoded.slice(begins, at).trim() === "") return from;
    return from + ((to - from) * (at - begins)) / length;
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
