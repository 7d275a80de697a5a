import { layOutSubtitles } from "./subtitle-layout.ts";
import { usualRules, type SubtitleRules } from "./subtitle-rules.ts";

/** Text spoken from `start` to `end`, in seconds. */
export interface Speech {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface SubtitleCue {
  /** Whole milliseconds. */
  readonly from: number;
  readonly to: number;
  /** One to three, never empty. */
  readonly lines: readonly string[];
  /** For each line, where words begin and when they are spoken, in whole milliseconds, if known. */
  readonly times?: readonly (readonly { readonly offset: number; readonly at: number }[])[];
}

/** A stretch of time, in seconds. */
export type Stretch = Pick<Speech, "start" | "end">;

/**
 * Readable subtitles in order of time, never two at once. Except for white space, their text is the spoken text. A cue is
 * shorter than the rule only if there is more speech than can be shown, or if a gap follows: no cue extends into one.
 */
export function subtitleCues(
  speech: readonly Speech[],
  gaps: readonly Stretch[] = [],
  rules: SubtitleRules = usualRules,
): SubtitleCue[] {
  const stretches = joinShort(
    speech
      .map(({ start, end, text }) => ({ from: milliseconds(start), to: milliseconds(end), text: oneLine(text) }))
      .filter(({ text }) => text !== "")
      .toSorted((left, right) => left.from - right.from),
    rules.shortest,
  );
  return stretches.flatMap(({ from, to, text }, index) => {
    const next = stretches[index + 1]?.from ?? Infinity;
    const blocks = layOutSubtitles(text, Math.min(to, next) - from, rules);
    const held = Math.max(to, from + blocks.length * rules.shortest);
    const until = Math.min(next, held, gapAfter(gaps, Math.max(to, from + blocks.length)));
    const shares = shareOut(
      until - from,
      blocks.map(({ width }) => width),
      rules.shortest,
    );
    let time = from;
    return blocks.map(({ lines }, block) => {
      const begin = Math.round(time);
      time += shares[block]!;
      return { from: begin, to: Math.min(Math.round(time), begin + rules.longest), lines };
    });
  });
}

/** When the next gap begins, but not before `time`, when there is still speech. */
export function gapAfter(gaps: readonly Stretch[], time: number): number {
  const starts = gaps.filter(({ end }) => milliseconds(end) > time).map(({ start }) => milliseconds(start));
  return Math.max(time, Math.min(Infinity, ...starts));
}

interface TimedText {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Joins a stretch that is too short to be read with the one after it. */
function joinShort(stretches: readonly TimedText[], shortest: number): TimedText[] {
  const joined: TimedText[] = [];
  for (const next of stretches) {
    const last = joined.at(-1);
    if (last && next.from - last.from < shortest)
      joined.splice(-1, 1, { from: last.from, to: Math.max(last.to, next.to), text: `${last.text} ${next.text}` });
    else joined.push(next);
  }
  return joined;
}

/**
 * Divides by width, because the times of the words aren't known; no part is shorter than the minimum as long as there is enough
 * time.
 */
function shareOut(total: number, widths: readonly number[], shortest: number): number[] {
  const least = Math.min(shortest, total / widths.length);
  const raised = new Set<number>();
  for (;;) {
    const rest = total - raised.size * least;
    const width = widths.reduce((sum, each, index) => (raised.has(index) ? sum : sum + each), 0);
    const shares = widths.map((each, index) => (raised.has(index) ? least : (rest * each) / width));
    const before = raised.size;
    for (const [index, share] of shares.entries()) if (share < least) raised.add(index);
    if (raised.size === before || raised.size === widths.length) return shares.map((share) => Math.max(share, least));
  }
}

export const milliseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1_000)) || 0;

/** An empty line would end the cue. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();
