import { cleanLine } from "@reelscript/contract";
import type { Segment } from "../../../ports.ts";
// oxlint-disable-next-line no-restricted-imports -- places are those in the text as it is stored
import { storable } from "../engine/storable.ts";

interface Original {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** As `writeWords` gives them. */
  readonly words: readonly number[] | null;
}

interface Composed {
  readonly text: string;
  readonly segments: readonly (Segment & { readonly corrected?: true })[];
  readonly words: number[] | null;
}

/** Of words whose times were lost with a correction. */
const untimed = -1;

/** A stretch of the new text; of a word with its times. */
type Piece = readonly [text: string, start: number, end: number];

/** A transcript with other texts for its segments. Segments that stay keep the times of their words. */
export function composeCorrection({ text, segments, words }: Original, texts: readonly string[]): Composed {
  if (segments.length === 0) return { text: texts.join(" "), segments: [], words: null };
  const ranges = rangesOf(text, segments);
  const timed = ranges === undefined ? [] : wordsIn(text, words);
  const pieces: Piece[] = [];
  const corrected: Composed["segments"][number][] = [];
  let word = 0;
  let end = 0;
  for (const [index, segment] of segments.entries()) {
    const wanted = texts[index] ?? "";
    const range = ranges?.[index] ?? { start: end, end };
    const separator = pieces.length === 0 ? "" : ranges === undefined ? " " : text.slice(end, range.start);
    const mine: (typeof timed)[number][] = [];
    for (; word < timed.length && timed[word]!.until <= range.end; word += 1) mine.push(timed[word]!);
    const whole = mine.length > 0 && mine[0]!.from === end && mine.at(-1)!.until === range.end;
    end = range.end;
    if (wanted === "") continue;
    const stays = wanted === cleanLine(segment.text);
    corrected.push(stays ? segment : { start: segment.start, end: segment.end, text: wanted, corrected: true });
    if (stays && whole)
      pieces.push(
        ...mine.map(({ from, until, start, end: stop }, place): Piece => {
          const said = text.slice(from, until);
          return [place === 0 && pieces.length === 0 ? said.trimStart() : said, start, stop];
        }),
      );
    else pieces.push([separator + (stays ? storable(segment.text).trim() : wanted), untimed, untimed]);
  }
  const known = pieces.some(([, start]) => start !== untimed);
  return {
    text: pieces.map(([said]) => said).join(""),
    segments: corrected,
    words: known ? pieces.flatMap(([said, start, stop]) => [said.length, start, stop]) : null,
  };
}

/** Where the segments are in the text; undefined when they don't make it up. */
function rangesOf(text: string, segments: readonly Segment[]) {
  const ranges: { readonly start: number; readonly end: number }[] = [];
  let from = 0;
  for (const segment of segments) {
    const said = storable(segment.text).trim();
    const start = text.indexOf(said, from);
    if (start === -1) return undefined;
    from = start + said.length;
    ranges.push({ start, end: from });
  }
  return ranges;
}

/** Words with their places in the text and their milliseconds. */
function wordsIn(text: string, stored: readonly number[] | null) {
  const words: { readonly from: number; readonly until: number; readonly start: number; readonly end: number }[] = [];
  let from = 0;
  for (let at = 0; stored !== null && at + 2 < stored.length; at += 3) {
    const until = from + stored[at]!;
    if (until > text.length) break;
    words.push({ from, until, start: stored[at + 1]!, end: stored[at + 2]! });
    from = until;
  }
  return words;
}
