import type { Gap, GapReason, Segment, Silence } from "../transcriber.ts";
import { type Span, subtractSpans } from "./signal/speech-spans.ts";
import { speechBetween } from "./speech-window.ts";

export interface SettledLedger {
  readonly segments: readonly Segment[];
  readonly gaps: readonly Gap[];
  readonly silences: readonly Silence[];
  /** Seconds of detected speech in gaps. */
  readonly lostSeconds: number;
  /** Seconds of detected speech in segments. */
  readonly keptSeconds: number;
}

/** Times of the model and of the voice detector differ by less than this: more than what is left unheard at the end of a window. */
const largestDifferenceSeconds = 1.5;
/** Speech this near to a segment belongs to it. */
const nearSeconds = 0.5;
/** Stretches for the same reason with a shorter pause between them are one. */
const oneStretchSeconds = 2;

/** Accounts for each second of detected speech: written down, judged silent, or lost. */
export class SpeechLedger {
  readonly #segments: Segment[] = [];
  readonly #gaps: Gap[] = [];
  readonly #silences: Silence[] = [];

  /** In order of time. */
  keep(segments: readonly Segment[]): void {
    this.#segments.push(...segments);
  }

  lose({ start, end }: Span, reason: GapReason): void {
    this.#gaps.push({ start, end, reason });
  }

  judgeSilent({ start, end }: Span, reason: Silence["reason"]): void {
    this.#silences.push({ start, end, reason });
  }

  /** The entries so far, in plain data. */
  entries(): Pick<SettledLedger, "segments" | "gaps" | "silences"> {
    return { segments: [...this.#segments], gaps: [...this.#gaps], silences: [...this.#silences] };
  }

  /** Accounts for all of `spans`: crumbs go to the segment beside them, longer stretches that nothing covers are gaps. */
  settle(spans: readonly Span[]): SettledLedger {
    const segments = [...this.#segments];
    const gaps = this.#gaps.flatMap((gap) => inSpeech(gap, spans));
    const silences = this.#silences.flatMap((silence) => inSpeech(silence, spans));
    for (const rest of subtractSpans(spans, [...segments, ...gaps, ...silences]))
      if (rest.end - rest.start > largestDifferenceSeconds) gaps.push({ ...rest, reason: "skipped" });
      else if (!stretchNearest(segments, rest)) silences.push({ ...rest, reason: "tooShort" });

    return {
      segments,
      gaps: joined(gaps, segments),
      silences: joined(silences, segments),
      lostSeconds: gaps.reduce((sum, { start, end }) => sum + speechBetween(spans, start, end), 0),
      keptSeconds: segments.reduce((sum, { start, end }) => sum + speechBetween(spans, start, end), 0),
    };
  }
}

/** The parts of a stretch in which speech was detected. */
function inSpeech<Stretch extends Span>(stretch: Stretch, spans: readonly Span[]): Stretch[] {
  return spans.flatMap((span) => {
    const start = Math.max(span.start, stretch.start);
    const end = Math.min(span.end, stretch.end);
    return end > start ? [{ ...stretch, start, end }] : [];
  });
}

function stretchNearest(segments: Segment[], rest: Span): boolean {
  const before = segments.findLastIndex(({ end }) => end <= rest.start);
  const one = segments[before];
  const other = segments[before + 1];
  if (one && rest.start - one.end <= nearSeconds) {
    segments[before] = { ...one, end: rest.end };
    return true;
  }
  if (other && other.start >= rest.end && other.start - rest.end <= nearSeconds) {
    segments[before + 1] = { ...other, start: rest.start };
    return true;
  }
  return false;
}

/** In order, with neighbors for the same reason as one where nothing was written between them. */
function joined<Stretch extends Span & { readonly reason: string }>(
  stretches: readonly Stretch[],
  segments: readonly Segment[],
): Stretch[] {
  const result: Stretch[] = [];
  for (const stretch of stretches.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    const isNear = last?.reason === stretch.reason && stretch.start - last.end <= oneStretchSeconds;
    if (last && isNear && !segments.some(({ start, end }) => end > last.end && start < stretch.start))
      result[result.length - 1] = { ...last, end: Math.max(last.end, stretch.end) };
    else result.push(stretch);
  }
  return result;
}
