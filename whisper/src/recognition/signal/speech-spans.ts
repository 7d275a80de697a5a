import { frameSeconds } from "./audio-format.ts";

/** A stretch of speech in seconds from the beginning. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const speaksAbove = 0.5;
const fallsSilentBelow = 0.35;
const shortestSpeechSeconds = 0.25;
const shortestSilenceSeconds = 0.1;
export const paddingSeconds = 0.2;

/** How far from a moment the voice probabilities must be known for the spans around it to be settled. */
export const settlingSeconds = 2;

/** Speech begins at a probability of 0.5 and ends where it stays below 0.35 for 0.1 s. */
function bareSpans(probabilities: ArrayLike<number>): Span[] {
  const spans: Span[] = [];
  let start = -1;
  let quietSince = -1;
  const close = (end: number) => {
    if ((end - start) * frameSeconds >= shortestSpeechSeconds)
      spans.push({ start: start * frameSeconds, end: end * frameSeconds });

    start = quietSince = -1;
  };
  for (let frame = 0; frame < probabilities.length; frame += 1) {
    const probability = probabilities[frame] ?? 0;
    if (probability >= speaksAbove) {
      quietSince = -1;
      if (start < 0) start = frame;
    } else if (start >= 0 && probability < fallsSilentBelow) {
      if (quietSince < 0) quietSince = frame;
      if ((frame - quietSince) * frameSeconds >= shortestSilenceSeconds) close(quietSince);
    }
  }
  if (start >= 0) close(quietSince >= 0 ? quietSince : probabilities.length);
  return spans;
}

/** Finds speech by the voice probabilities of frames of 32 ms; padded by 0.2 s without overlap. */
export function speechSpans(probabilities: ArrayLike<number>, seconds: number): Span[] {
  const bare = bareSpans(probabilities);
  const padded: Span[] = [];
  bare.forEach((span, index) => {
    const previousEnd = padded.at(-1)?.end ?? 0;
    const next = bare[index + 1];
    const latest = next ? (span.end + next.start) / 2 : seconds;
    padded.push({
      start: Math.max(span.start - paddingSeconds, previousEnd),
      end: Math.min(span.end + paddingSeconds, latest),
    });
  });
  return padded;
}

/** Takes spans away from others; the rest is in order and without overlap. */
export function subtractSpans(spans: readonly Span[], taken: readonly Span[]): Span[] {
  const ordered = taken.toSorted((one, other) => one.start - other.start);
  return spans.flatMap((span) => {
    const left: Span[] = [];
    let from = span.start;
    for (const { start, end } of ordered) {
      if (end <= from || start >= span.end) continue;
      if (start > from) left.push({ start: from, end: start });
      from = Math.max(from, end);
    }
    if (from < span.end) left.push({ start: from, end: span.end });
    return left;
  });
}
