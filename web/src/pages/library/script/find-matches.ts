import { queryParts } from "@reelscript/contract/values";
import type { PlacedWord } from "./placed-word.ts";

/** A stretch of the original text. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Match extends Stretch {
  /** The index of the text. */
  readonly text: number;
}

interface Folded {
  readonly text: string;
  /** The original index of each character of the folded text. */
  readonly from: readonly number[];
}

/** Accents of Latin letters, Arabic vowel signs and hamzas, the Arabic tatweel. */
const ignored = /[\u0300-\u036F\u0640\u064B-\u0655\u0670]/g;

function fold(original: string): Folded {
  let text = "";
  const from: number[] = [];
  let offset = 0;
  for (const character of original) {
    const folded = character.normalize("NFKD").replace(ignored, "").replace(/[‘’]/g, "'").toLowerCase();
    for (let unit = 0; unit < folded.length; unit += 1) from.push(offset);
    text += folded;
    offset += character.length;
  }
  return { text, from };
}

/**
 * Finds the query in the texts, in order, ignoring case and accents: quoted phrases exactly, the rest as typed. If that isn't
 * found, finds words that begin with its words. Library searches treat phrases the same way.
 */
export function findMatches(texts: readonly string[], query: string): readonly Match[] {
  const parts = queryParts(query).map(({ text, isPhrase }) => ({ text: plain(text), isPhrase }));
  const phrases = parts.flatMap(({ text, isPhrase }) => (isPhrase && text !== "" ? [text] : []));
  const unquotedText = parts
    .flatMap(({ text, isPhrase }) => (isPhrase ? [] : [text]))
    .join(" ")
    .trim();
  const folded = texts.map(fold);
  const matches = (find: (text: Folded) => Span[]): Match[] =>
    folded.flatMap((one, text) =>
      disjoint(find(one)).map(([start, end]) => ({ text, ...inOriginal(one, start, end, texts[text]!.length) })),
    );
  const inPhrases = (one: Folded): Span[] => phrases.flatMap((phrase) => phrasesIn(one, phrase));
  if (unquotedText === "") return matches(inPhrases);
  const whole = matches((one) => spansOf(one, unquotedText, () => true));
  if (whole.length > 0)
    return phrases.length === 0
      ? whole
      : matches((one) => [...inPhrases(one), ...spansOf(one, unquotedText, beginsWord)]);
  const words = [...new Set(unquotedText.split(" "))];
  return matches((one) => [...inPhrases(one), ...words.flatMap((word) => spansOf(one, word, beginsWord))]);
}

const plain = (text: string): string => fold(text).text.replace(/\s+/g, " ").trim();

/** Its words may be separated by any punctuation, as in a library search. */
function phrasesIn({ text }: Folded, phrase: string): Span[] {
  const words = phrase.match(/[\p{L}\p{M}\p{N}]+/gu);
  if (words === null) return spansOf({ text, from: [] }, phrase, () => true);
  const pattern = new RegExp(`${words.join("[^\\p{L}\\p{M}\\p{N}]+")}(?![\\p{L}\\p{M}\\p{N}])`, "gu");
  return Array.from(text.matchAll(pattern), ({ 0: match, index }): Span => [index, index + match.length]).filter(
    ([start]) => beginsWord(text, start),
  );
}

type Span = readonly [start: number, end: number];

function spansOf({ text }: Folded, term: string, accepts: (text: string, offset: number) => boolean): Span[] {
  const spans: Span[] = [];
  for (let offset = text.indexOf(term); offset !== -1; offset = text.indexOf(term, offset + term.length))
    if (accepts(text, offset)) spans.push([offset, offset + term.length]);
  return spans;
}

/** An Arabic word is also found with an attached article. */
const beginsWord = (text: string, offset: number): boolean =>
  !/[\p{L}\p{M}\p{N}]$/u.test(text.slice(Math.max(0, offset - 2), offset).replace(/^ال$/u, ""));

function disjoint(spans: readonly Span[]): Span[] {
  const disjointSpans: Span[] = [];
  for (const span of spans.toSorted(([left], [right]) => left - right))
    if (span[0] >= (disjointSpans.at(-1)?.[1] ?? 0)) disjointSpans.push(span);
  return disjointSpans;
}

const inOriginal = ({ from }: Folded, start: number, end: number, length: number): Stretch => ({
  start: from[start]!, // safe: an offset in the folded text
  end: Math.max(from[end] ?? length, from[end - 1]! + 1),
});

interface Part {
  readonly text: string;
  /** Number of the match that contains this part, if any. */
  readonly match?: number;
}

export function markedPartsOf(text: string, matches: readonly Stretch[]): readonly Part[] {
  const parts: Part[] = [];
  let offset = 0;
  for (const [match, { start, end }] of matches.entries()) {
    if (start > offset) parts.push({ text: text.slice(offset, start) });
    parts.push({ text: text.slice(start, end), match });
    offset = end;
  }
  if (offset < text.length) parts.push({ text: text.slice(offset) });
  return parts;
}

interface Timed {
  readonly start: number;
}

/** Merges segments and gaps by time; a gap follows the segment in which it begins. */
export const scriptPieces = <Segment extends Timed, Gap extends Timed>(
  segments: readonly Segment[],
  gaps: readonly Gap[],
): readonly ({ readonly segment: Segment; readonly line: number } | { readonly gap: Gap })[] =>
  [
    ...segments.map((segment, line) => ({ start: segment.start, piece: { segment, line } })),
    ...gaps.map((gap) => ({ start: gap.start, piece: { gap } })),
  ]
    .toSorted((one, other) => one.start - other.start)
    .map(({ piece }) => piece);

interface LinePart {
  /** A piece with the number of its word in the line; it is the whole word or a part of it. */
  readonly pieces: readonly { readonly text: string; readonly word?: number | undefined }[];
  readonly match?: Match;
}

export function linePartsOf(
  line: string,
  matches: readonly Match[],
  words: readonly PlacedWord[],
): readonly LinePart[] {
  let from = 0;
  return markedPartsOf(line, matches).map(({ text, match }) => {
    const within = words
      .map(({ start, end }, word) => ({
        word,
        start: Math.max(start - from, 0),
        end: Math.min(end - from, text.length),
      }))
      .filter(({ start, end }) => start < end);
    from += text.length;
    const pieces = markedPartsOf(text, within).map((piece) => ({
      text: piece.text,
      word: within[piece.match ?? -1]?.word,
    }));
    return { pieces, ...(match !== undefined && { match: matches[match]! }) };
  });
}
