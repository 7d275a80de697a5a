import type { Specification } from "./decoder/specification.ts";
import type { Tokenizer } from "./decoder/tokenizer.ts";
import { secondsPerTimestamp, type Reading } from "./decoder/window-decoder.ts";

/** A piece of text between two timestamps, in seconds of its window. */
export interface WindowSegment {
  readonly start: number;
  readonly end: number;
  /** Trimmed; never empty. */
  readonly text: string;
  /** Without timestamps. */
  readonly tokens: readonly number[];
  /** Probability of each token. */
  readonly probabilities: readonly number[];
}

export interface WindowSegments {
  readonly segments: readonly WindowSegment[];
  /** Text without a timestamp that closes it, after all segments: a sentence that the window or the model cut off. */
  readonly open: WindowSegment | undefined;
  /**
   * Seconds of the window up to which the model has written everything by its own account: its last timestamp that
   * closes text. `undefined` when it gave none.
   */
  readonly closedAt: number | undefined;
}

/** Cuts a reading of a window of `length` seconds where two timestamps meet. Times are clamped to the window. */
export function windowSegments(
  { tokens, probabilities }: Pick<Reading, "tokens" | "probabilities">,
  length: number,
  specification: Specification,
  tokenizer: Tokenizer,
): WindowSegments {
  const isTimestamp = (index: number) => (tokens[index] ?? -1) >= specification.firstTimestamp;
  const secondsAt = (index: number) =>
    Math.max(0, (tokens[index] ?? 0) - specification.firstTimestamp) * secondsPerTimestamp;
  const segmentOf = (from: number, to: number, start: number, end: number): WindowSegment | undefined => {
    const ofText = <Value>(values: readonly Value[]): Value[] =>
      values.slice(from, to).filter((_, index) => tokens[from + index]! < specification.endOfText);
    const written = ofText(tokens);
    const text = tokenizer.decode(written).trim();
    if (text === "") return undefined;
    const clampedStart = Math.min(start, length);
    return {
      start: clampedStart,
      end: Math.min(Math.max(end, clampedStart), length),
      text,
      tokens: written,
      probabilities: ofText(probabilities),
    };
  };
  const cuts = tokens.flatMap((_, index) => (index > 0 && isTimestamp(index) && isTimestamp(index - 1) ? [index] : []));
  const isClosed = tokens.length >= 2 && isTimestamp(tokens.length - 1) && !isTimestamp(tokens.length - 2);
  if (isClosed) cuts.push(tokens.length);

  const segments: WindowSegment[] = [];
  let from = 0;
  for (const cut of cuts) {
    const segment = segmentOf(from, cut, secondsAt(from), secondsAt(cut - 1));
    if (segment) segments.push(segment);
    from = cut;
  }
  return {
    segments,
    open: segmentOf(from, tokens.length, isTimestamp(from) ? secondsAt(from) : 0, length),
    closedAt: from === 0 ? undefined : Math.min(secondsAt(from - 1), length),
  };
}
