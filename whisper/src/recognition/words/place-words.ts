import type { Word } from "../../transcriber.ts";
import { paddingSeconds, type Span } from "../signal/speech-spans.ts";

/** A word where the model heard it, in seconds of the recording. */
export interface HeardWord extends Word {
  /** Bounds of its segment. */
  readonly earliest: number;
  readonly latest: number;
}

/** A segment's own times are this far off at most. */
const slackSeconds = 0.5;
/** Speech is noticed a little after it begins and missed a little after it ends: not all of the padding is silent. */
const silentBeforeSeconds = paddingSeconds - 0.03;
const silentAfterSeconds = paddingSeconds - 0.05;

/**
 * Moves words into detected speech, so that none begins in a pause or runs over into the next one, and puts them in
 * order without overlap. `spans` are those of `speechSpans`, in order.
 */
export function placeWords(words: readonly HeardWord[], spans: readonly Span[]): Word[] {
  const spoken = withoutPadding(spans);
  let free = -Infinity;
  return words.map(({ start, end, earliest, latest, ...word }) => {
    const low = Math.min(earliest, latest) - slackSeconds;
    const high = Math.max(earliest, latest) + slackSeconds;
    const stretch = { start: clamp(start, low, high), end: clamp(Math.max(start, end), low, high) };
    const span = nearestSpan(stretch, spoken) ?? stretch;
    const from = Math.max(clamp(stretch.start, span.start, span.end), free);
    free = Math.max(clamp(stretch.end, span.start, span.end), from);
    return { ...word, start: from, end: free };
  });
}

function withoutPadding(spans: readonly Span[]): Span[] {
  return spans.map(({ start, end }, index) => {
    const before = spans[index - 1]?.end ?? 0;
    const after = spans[index + 1]?.start ?? Infinity;
    // Spans that touch are padded less; what belongs to the pause between them can't be told.
    const from = start > before ? start + silentBeforeSeconds : start;
    const to = end < after ? end - silentAfterSeconds : end;
    return from < to ? { start: from, end: to } : { start, end };
  });
}

/** The span that shares most with a stretch, or the closest one. */
function nearestSpan(stretch: Span, spans: readonly Span[]): Span | undefined {
  let best: Span | undefined;
  let most = -Infinity;
  for (const span of spans) {
    // Negative: the distance.
    const shared = Math.min(stretch.end, span.end) - Math.max(stretch.start, span.start);
    if (shared <= most) continue;
    best = span;
    most = shared;
  }
  return best;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
