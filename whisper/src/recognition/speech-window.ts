import type { Span } from "./speech-spans.ts";

/** What the encoder hears at once. */
export const ENCODER_SECONDS = 30;

/** Speech of which less than this is left is not worth another encoder pass. */
const SHORTEST_REST_SECONDS = 0.25;
/** A window may be this much longer than wanted before it is cut inside speech. */
const TOLERANCE_SECONDS = 1;

/**
 * The next window to recognise: from the first speech after `from` over as many spans as fit into `longest` seconds,
 * so that a recording needs the fewest encoder passes. `undefined` when no speech is left.
 */
export function nextWindow(spans: readonly Span[], from: number, longest: number): Span | undefined {
  const first = nextSpeech(spans, from);
  if (!first) return undefined;
  const start = Math.max(from, first.start);
  let end = first.end;
  for (const span of spans) if (span.end > end && span.end <= start + longest) end = span.end;
  const tolerated = Math.min(ENCODER_SECONDS, longest + TOLERANCE_SECONDS);
  return { start, end: end - start > tolerated ? start + longest : end };
}

export function nextSpeech(spans: readonly Span[], from: number): Span | undefined {
  return spans.find((span) => span.end > from + SHORTEST_REST_SECONDS);
}

/** Seconds of speech between two moments. */
export function speechBetween(spans: readonly Span[], start: number, end: number): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.end, end) - Math.max(span.start, start)), 0);
}
