import { cutText } from "@reelscript/contract/values";
import type { Output } from "@reelscript/client/core";
import { findMatches } from "./find-matches.ts";
import type { PlacedWord } from "./placed-word.ts";

/** Three in four words below this probability are wrong; see docs/decisions/library.md. */
const unsureBelow = 0.4;

/** A moment that begins at a second: a word, or a line whose words have no times. */
export interface Moment {
  readonly at: number;
  readonly line: number;
  readonly word?: number;
}

export interface ScriptMoments {
  /** Words by line; empty if their times aren't known. */
  readonly words: readonly (readonly PlacedWord[])[];
  readonly all: readonly Moment[];
}

/** Finds the words in the texts of the lines, in order. */
export function momentsOf({
  segments,
  words: said = [],
}: Pick<Output<"getScript">, "segments" | "words">): ScriptMoments {
  let next = 0;
  const words = segments.map(({ text }) => {
    const line = text.trim();
    const lineWords: PlacedWord[] = [];
    let taken = "";
    for (let word = said[next]; word !== undefined && taken.length < line.length; word = said[next]) {
      taken = (taken + word.text).trimStart();
      const start = taken.length - word.text.trimStart().length;
      const isUnsure = word.probability !== undefined && word.probability < unsureBelow;
      lineWords.push({ start, end: taken.length, at: word.start, isUnsure });
      next += 1;
    }
    return taken.trimEnd() === line ? lineWords : [];
  });
  const all = words.flatMap((lineWords, line): Moment[] =>
    lineWords.length > 0
      ? lineWords.map(({ at }, word) => ({ at, line, word }))
      : [{ at: segments[line]!.start, line }],
  );
  return { words, all: all.toSorted((one, other) => one.at - other.at) };
}

/** The second at which the word at this offset of its line is said; `undefined` if that isn't known. */
export const secondOf = (words: readonly PlacedWord[] = [], offset: number): number | undefined =>
  words.find(({ end }) => end > offset)?.at;

/** The moment that is playing at a second; before the first moment, the first. */
export const momentBefore = ({ all }: ScriptMoments, second: number): Moment | undefined =>
  all.findLast(({ at }) => at <= second + 0.001) ?? all[0];

/**
 * The moment that an address names. A second within a line is used as it is. The beginning of a line, which is what searches
 * name, becomes the time of the found word in it.
 */
export function momentAsked(
  { segments }: Pick<Output<"getScript">, "segments">,
  moments: ScriptMoments,
  { t, query }: { readonly t: number | undefined; readonly query: string | undefined },
) {
  const line = segmentAt(segments, t);
  if (t === undefined || line === undefined) return undefined;
  const { start, end, text } = segments[line]!; // safe: segmentAt gives one of them
  const [match] = query === undefined ? [] : findMatches([text.trim()], query);
  const at = t > start && t < end ? t : ((match && secondOf(moments.words[line], match.start)) ?? start);
  const moment = momentBefore(moments, at);
  return { at, moment: moment?.line === line ? moment : { line } };
}

interface Timed {
  readonly start: number;
  readonly text: string;
}

/** Times in addresses may be rounded. */
const tolerance = 0.5;

/** The segment that is spoken at a second; `undefined` if there is none. */
export function segmentAt(segments: readonly Timed[], second: number | undefined): number | undefined {
  if (second === undefined || segments.length === 0) return undefined;
  const exact = segments.findIndex(({ start }) => Math.abs(start - second) < 0.01);
  if (exact !== -1) return exact;
  return Math.max(
    0,
    segments.findLastIndex(({ start }) => start <= second + tolerance),
  );
}

const longestBefore = 48;

export function cardWords(segments: readonly Timed[], current: number) {
  const before = segments[current - 1]?.text.trim() ?? "";
  const cut =
    before.length > longestBefore
      ? before.slice(cutText(before, before.length - longestBefore).length).replace(/^\S*\s+/, "")
      : before;
  const after = segments
    .slice(current + 1, current + 5)
    .map(({ text }) => text.trim())
    .join(" ");
  return { before: cut, now: segments[current]?.text.trim() ?? "", after };
}

/** Position of a line, from 0 to 1 in the text of all lines; `undefined` without a line. */
export function placeOfLine(segments: readonly Timed[], line: number | undefined): number | undefined {
  if (line === undefined) return undefined;
  const lengthOf = (lines: readonly Timed[]): number => lines.reduce((sum, { text }) => sum + text.length, 0);
  const before = lengthOf(segments.slice(0, line));
  return (before + (segments[line]?.text.length ?? 0) / 2) / Math.max(1, lengthOf(segments));
}
