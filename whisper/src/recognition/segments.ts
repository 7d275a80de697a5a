import type { Segment } from "../transcriber.ts";
import type { Specification } from "./specification.ts";
import type { Span } from "./speech-spans.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { SECONDS_PER_TIMESTAMP } from "./window-decoder.ts";

export interface WindowSegments {
  readonly segments: readonly Segment[];
  /** Where the next window may begin, in seconds of the recording: behind the last text that was closed. */
  readonly heardUntil: number;
}

/** Less progress than this is taken for a slip of the model: the window counts as heard. */
const LEAST_PROGRESS_SECONDS = 1;

/**
 * Cuts the tokens of a window where two timestamps meet. Text that is left open at the end belongs to a sentence
 * that the window cut off; it is heard again in the next one. Times are clamped to the window.
 */
export function windowSegments(
  tokens: readonly number[],
  window: Span,
  specification: Specification,
  tokenizer: Tokenizer,
): WindowSegments {
  const isTimestamp = (index: number) => (tokens[index] ?? -1) >= specification.firstTimestamp;
  const secondsAt = (index: number) => {
    const timestamp = (tokens[index] ?? 0) - specification.firstTimestamp;
    return window.start + Math.max(0, timestamp) * SECONDS_PER_TIMESTAMP;
  };
  const segments: Segment[] = [];
  const add = (from: number, to: number, start: number, end: number) => {
    const text = tokenizer.decode(tokens.slice(from, to)).trim();
    const clampedStart = Math.min(start, window.end);
    if (text !== "")
      segments.push({ start: clampedStart, end: Math.min(Math.max(end, clampedStart), window.end), text });
  };

  const isClosed = tokens.length >= 2 && isTimestamp(tokens.length - 1) && !isTimestamp(tokens.length - 2);
  const cuts = tokens
    .map((_, index) => index)
    .filter((index) => index > 0 && isTimestamp(index) && isTimestamp(index - 1));
  if (cuts.length === 0) {
    const last = isClosed ? secondsAt(tokens.length - 1) : window.end;
    add(0, tokens.length, isTimestamp(0) ? secondsAt(0) : window.start, last > window.start ? last : window.end);
    return { segments, heardUntil: window.end };
  }
  if (isClosed) cuts.push(tokens.length);
  let from = 0;
  for (const cut of cuts) {
    add(from, cut, secondsAt(from), secondsAt(cut - 1));
    from = cut;
  }
  const closedAt = secondsAt(from - 1);
  const isProgress = closedAt - window.start >= LEAST_PROGRESS_SECONDS;
  return { segments, heardUntil: isClosed || !isProgress ? window.end : Math.min(closedAt, window.end) };
}
