import { FRAME_SECONDS } from "./audio-format.ts";

/** A stretch of speech in seconds from the beginning. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const SPEAKS = 0.5;
const FALLS_SILENT = 0.35;
const SHORTEST_SPEECH_SECONDS = 0.25;
const SHORTEST_SILENCE_SECONDS = 0.1;
const PADDING_SECONDS = 0.2;

/** How far from a moment the voice probabilities must be known for the spans around it to be settled. */
export const SETTLING_SECONDS = 2;

/** Speech begins at a probability of 0.5 and ends where it stays below 0.35 for 0.1 s. */
function bareSpans(probabilities: ArrayLike<number>): Span[] {
  const spans: Span[] = [];
  let start = -1;
  let quietSince = -1;
  const close = (end: number) => {
    if ((end - start) * FRAME_SECONDS >= SHORTEST_SPEECH_SECONDS) {
      spans.push({ start: start * FRAME_SECONDS, end: end * FRAME_SECONDS });
    }
    start = quietSince = -1;
  };
  for (let frame = 0; frame < probabilities.length; frame++) {
    const probability = probabilities[frame] ?? 0;
    if (probability >= SPEAKS) {
      quietSince = -1;
      if (start < 0) start = frame;
    } else if (start >= 0 && probability < FALLS_SILENT) {
      if (quietSince < 0) quietSince = frame;
      if ((frame - quietSince) * FRAME_SECONDS >= SHORTEST_SILENCE_SECONDS) close(quietSince);
    }
  }
  if (start >= 0) close(quietSince >= 0 ? quietSince : probabilities.length);
  return spans;
}

/** Where somebody speaks, by the voice probabilities of frames of 32 ms; padded by 0.2 s without overlap. */
export function speechSpans(probabilities: ArrayLike<number>, seconds: number): Span[] {
  const bare = bareSpans(probabilities);
  const padded: Span[] = [];
  bare.forEach((span, index) => {
    const previousEnd = padded.at(-1)?.end ?? 0;
    const next = bare[index + 1];
    const latest = next ? (span.end + next.start) / 2 : seconds;
    padded.push({
      start: Math.max(span.start - PADDING_SECONDS, previousEnd),
      end: Math.min(span.end + PADDING_SECONDS, latest),
    });
  });
  return padded;
}
