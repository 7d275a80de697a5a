import { markedPartsOf, type Match } from "./find-matches.ts";
import type { PlacedWord } from "./script-moments.ts";

interface Timed {
  readonly start: number;
}

/** What is said and what couldn't be made out, in the order of time; a gap follows the segment in which it begins. */
export function scriptPieces<Segment extends Timed, Gap extends Timed>(
  segments: readonly Segment[],
  gaps: readonly Gap[],
) {
  return [
    ...segments.map((segment, index) => ({ kind: "segment" as const, segment, index })),
    ...gaps.map((gap) => ({ kind: "gap" as const, gap })),
  ].toSorted((one, other) => startOf(one) - startOf(other));
}

const startOf = (piece: { readonly segment: Timed } | { readonly gap: Timed }): number =>
  ("gap" in piece ? piece.gap : piece.segment).start;

interface LinePiece {
  readonly text: string;
  /** Number of the word in its line, of which it is all or a part. */
  readonly word?: number;
}

interface LinePart {
  readonly pieces: readonly LinePiece[];
  /** What was found there. */
  readonly match?: Match;
}

/** A line cut at what was found in it, and that into words and what is between them. */
export function linePartsOf(
  line: string,
  matches: readonly Match[],
  words: readonly PlacedWord[],
): readonly LinePart[] {
  let place = 0;
  return markedPartsOf(line, matches).map(({ text, match }) => {
    const from = place;
    place += text.length;
    return { pieces: piecesOf(line, from, place, words), ...(match !== undefined && { match: matches[match]! }) };
  });
}

function piecesOf(line: string, from: number, until: number, words: readonly PlacedWord[]): LinePiece[] {
  const pieces: LinePiece[] = [];
  let place = from;
  for (const [word, { start, end }] of words.entries()) {
    if (end <= from || start >= until) continue;
    const [begin, stop] = [Math.max(start, from), Math.min(end, until)];
    if (begin > place) pieces.push({ text: line.slice(place, begin) });
    pieces.push({ text: line.slice(begin, stop), word });
    place = stop;
  }
  if (place < until) pieces.push({ text: line.slice(place, until) });
  return pieces;
}
