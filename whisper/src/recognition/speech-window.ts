import { paddingSeconds, type Span } from "./signal/speech-spans.ts";

/** Longest audio that the encoder hears in one pass, in seconds. */
export const encoderSeconds = 30;

/** Speech of which less than this is left is not worth another encoder pass. */
const shortestRestSeconds = 0.25;
/** A window may be this much longer than wanted before it is cut inside speech. */
const toleranceSeconds = 1;
/** Longer pauses are shortened to this, so that more speech fits into a window. */
const longestPauseSeconds = 0.3;

/** A stretch of the recording that is heard without a cut. */
interface Piece extends Span {
  /** Seconds of the window at which it is heard. */
  readonly at: number;
}

/** A stretch of the recording that is recognized at once, with its long pauses shortened. */
export class SpeechWindow implements Span {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
  readonly #spans: readonly Span[];

  /** `spans`: what is spoken in the window, in order. `leadIn`: seconds of silence that are heard before it. */
  constructor(spans: readonly Span[], leadIn = 0) {
    this.#spans = spans;
    this.pieces = piecesOf(spans, leadIn);
    this.start = this.pieces[0]?.start ?? 0;
    this.end = this.pieces.at(-1)?.end ?? 0;
  }

  /** Seconds that are heard. */
  get length(): number {
    const last = this.pieces.at(-1);
    return last ? last.at + last.end - last.start : 0;
  }

  /** Puts silence before the window, if the encoder can hear that much. */
  after(leadIn: number): SpeechWindow | undefined {
    return this.length + leadIn > encoderSeconds ? undefined : new SpeechWindow(this.#spans, leadIn);
  }

  /** Second of the recording at which something begins that begins at a second of the window. */
  startInRecording(seconds: number): number {
    const piece = this.pieces.findLast(({ at }) => at <= seconds) ?? this.pieces[0];
    return piece ? Math.min(Math.max(piece.start, piece.start + seconds - piece.at), piece.end) : 0;
  }

  /** Second of the recording at which something ends that ends at a second of the window. */
  endInRecording(seconds: number): number {
    const piece = this.pieces.findLast(({ at }) => at < seconds) ?? this.pieces[0];
    return piece ? Math.min(Math.max(piece.start, piece.start + seconds - piece.at), piece.end) : 0;
  }
}

/** Half of what is left of a long pause goes to the speech before it, half to the speech after it. */
function piecesOf(spans: readonly Span[], leadIn: number): Piece[] {
  const pieces: Piece[] = [];
  for (const { start, end } of spans) {
    const last = pieces.at(-1);
    if (last && start - last.end <= longestPauseSeconds) pieces[pieces.length - 1] = { ...last, end };
    else if (last) {
      const before = { ...last, end: last.end + longestPauseSeconds / 2 };
      pieces[pieces.length - 1] = before;
      pieces.push({ start: start - longestPauseSeconds / 2, end, at: before.at + before.end - before.start });
    } else pieces.push({ start, end, at: leadIn });
  }
  return pieces;
}

export interface NextWindow {
  readonly window: SpeechWindow;
  /** Second of the recording at which no more fitted in; `undefined` when more speech would still fit. */
  readonly fullAt: number | undefined;
}

/**
 * The next window to recognize: from the first speech after `from` over as many spans as fit into `longest` seconds,
 * so that a recording needs the fewest encoder passes. `undefined` when no speech is left.
 */
export function nextWindow(spans: readonly Span[], from: number, longest: number): NextWindow | undefined {
  const first = nextSpeech(spans, from);
  if (!first) return undefined;
  const start = Math.max(from, first.start);
  const tolerated = Math.min(encoderSeconds, longest + toleranceSeconds);
  if (first.end - start > tolerated)
    return { window: new SpeechWindow([{ start, end: start + longest }]), fullAt: start + tolerated };

  const pieces = [{ start, end: first.end }];
  let length = first.end - start;
  for (const span of spans.slice(spans.indexOf(first) + 1)) {
    const pause = Math.min(span.start - (pieces.at(-1)?.end ?? span.start), longestPauseSeconds);
    const room = longest - length - pause;
    // A span ends in padding, which nobody needs to hear.
    if (span.end - span.start > room + paddingSeconds)
      return { window: new SpeechWindow(pieces), fullAt: span.start + Math.max(0, room) + paddingSeconds };

    const end = Math.min(span.end, span.start + room);
    length += pause + end - span.start;
    pieces.push({ start: span.start, end });
  }
  return { window: new SpeechWindow(pieces), fullAt: undefined };
}

function nextSpeech(spans: readonly Span[], from: number): Span | undefined {
  return spans.find((span) => span.end > from + shortestRestSeconds);
}

/** Seconds of speech between two moments. */
export function speechBetween(spans: readonly Span[], start: number, end: number): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.end, end) - Math.max(span.start, start)), 0);
}
