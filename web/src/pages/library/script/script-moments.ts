import { cutText } from "@reelscript/contract/values";
import type { Output } from "@reelscript/client/core";
import { findMatches } from "./find-matches.ts";
import type { PlacedWord } from "./placed-word.ts";

/** Three in four words below this probability are wrong: docs/decisions/library.md. */
const unsureBelow = 0.4;

/** Starts at a second: a word, or a line whose words have no times. */
export interface Moment {
  readonly at: number;
  readonly line: number;
  readonly word?: number;
}

export interface ScriptMoments {
  /** By line; empty where no times of words are known. */
  readonly words: readonly (readonly PlacedWord[])[];
  readonly all: readonly Moment[];
}

/** Places the words in the lines, whose texts they are, one after another. */
export function momentsOf({
  segments,
  words: said = [],
}: Pick<Output<"getScript">, "segments" | "words">): ScriptMoments {
  let next = 0;
  const words = segments.map(({ text }) => {
    const line = text.trim();
    const placed: PlacedWord[] = [];
    let taken = "";
    for (let word = said[next]; word !== undefined && taken.length < line.length; word = said[next]) {
      taken = (taken + word.text).trimStart();
      const start = taken.length - word.text.trimStart().length;
      const isUnsure = word.probability !== undefined && word.probability < unsureBelow;
      placed.push({ start, end: taken.length, at: word.start, isUnsure });
      next += 1;
    }
    return taken.trimEnd() === line ? placed : [];
  });
  const all = words.flatMap((placed, line): Moment[] =>
    placed.length > 0 ? placed.map(({ at }, word) => ({ at, line, word })) : [{ at: segments[line]!.start, line }],
  );
  return { words, all: all.toSorted((one, other) => one.at - other.at) };
}

/** When the word at a place of its line is said; `undefined` where that isn't known. */
export const secondOf = (words: readonly PlacedWord[] = [], place: number): number | undefined =>
  words.find(({ end }) => end > place)?.at;

/** The moment that plays at a second; before the first, the first. */
export const momentBefore = ({ all }: ScriptMoments, second: number): Moment | undefined =>
  all.findLast(({ at }) => at <= second + 0.001) ?? all[0];

/**
 * The moment that an address asks for: a second within a line as it is, or the beginning of the line, or the time of the
 * word that the search found. Searches name the beginning of a line.
 */
export function momentAsked(
  { segments }: Pick<Output<"getScript">, "segments">,
  moments: ScriptMoments,
  { t, query }: { readonly t: number | undefined; readonly query: string | undefined },
) {
  const line = segmentAt(segments, t);
  if (t === undefined || line === undefined) return undefined;
  const { start, end, text } = segments[line]!; // safe: segmentAt gives one of them
  const [found] = query === undefined ? [] : findMatches([text.trim()], query);
  const at = t > start && t < end ? t : ((found && secondOf(moments.words[line], found.start)) ?? start);
  const moment = momentBefore(moments, at);
  return { at, shown: moment?.line === line ? moment : { line } };
}

interface Timed {
  readonly start: number;
  readonly text: string;
}

/** Times in addresses may have been rounded. */
const tolerance = 0.5;

/** The segment that is being said at a second; `undefined` without one. */
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
