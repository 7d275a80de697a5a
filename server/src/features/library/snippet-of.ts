import { cutText } from "@reelscript/contract/values";
import { commonBeginning, stemsOf, stemsOfTerm, type SearchTerm } from "../../search/search-terms.ts";
import {
  foldedOf,
  signSpansOf,
  withoutArticle,
  wordSpansOf,
  wordsOf,
  type SignSpan,
  type WordSpan,
} from "../../search/search-tokens.ts";

/** Limit of a snippet's characters, and of those before its first hit; punctuation at its ends may add a few. */
const longest = 200;
const longestBefore = 60;
/** Hits considered per word. Where a word occurs a thousand times, the best of the first occurrences is good enough. */
const mostHits = 200;

interface Snippet {
  /** Joined in order, the parts are an exact stretch of the text. */
  readonly parts: readonly { readonly text: string; readonly hit: boolean }[];
  /** How many of the terms it holds. */
  readonly termCount: number;
  /** Index in the text at which its first hit begins. */
  readonly at: number;
  /** Hits of the whole text, in order, up to a limit; adjacent ones are joined. */
  readonly hits: readonly TextRange[];
}

/**
 * The first stretch of a text that holds as many of the terms as any other, in their very form where all of them have one.
 * `undefined` when none is there.
 */
export function snippetOf(text: string, terms: readonly TermToFind[]): Snippet | undefined {
  const indexed = indexText(text, terms);
  const hits = hitsOf(text, indexed, terms);
  const exact = hits.filter(({ isExact }) => isExact);
  const all = new Set(exact.map(({ term }) => term)).size === terms.length ? exact : hits;
  const best = bestStretch(all, indexed, terms.length);
  if (best === undefined) return undefined;
  const [from, to] = windowAround(text, indexed, best.start);
  const marks = all
    .filter(({ first, last }) => indexed.mayTouch(first, last, from, to))
    .map((hit) => rangeOfHit(hit, indexed))
    .filter(({ start, end }) => end > from && start < to);
  return {
    parts: snippetPartsOf(text, from, to, marks),
    termCount: best.termCount,
    at: Math.max(from, marks[0]?.start ?? from),
    hits: joinedHits(hits, indexed),
  };
}

/** Words that follow one another are one hit. */
function joinedHits(hits: readonly Hit[], indexed: IndexedText): TextRange[] {
  const joined: (TextRange & { last: number })[] = [];
  for (const hit of hits) {
    const { start, end } = rangeOfHit(hit, indexed);
    const before = joined.at(-1);
    if (before !== undefined && (hit.first === before.last + 1 || start < before.end))
      joined.splice(-1, 1, { start: before.start, end: Math.max(before.end, end), last: hit.last });
    else joined.push({ start, end, last: hit.last });
  }
  return joined.map(({ start, end }) => ({ start, end }));
}

interface Hit {
  /** Index of the term in the query. */
  readonly term: number;
  /** Numbers of its words; for a symbol, of a word in its piece. */
  readonly first: number;
  readonly last: number;
  /** True for the term's exact form; false for another form with the same stem. */
  readonly isExact: boolean;
  /** Range of a sign, which is more or less than a word. */
  readonly range?: TextRange | undefined;
}

/** Hits in the order of the text. */
function hitsOf(text: string, indexed: IndexedText, terms: readonly TermToFind[]): Hit[] {
  const bySign = new Map<string, number[]>();
  for (const [term, { sign, words }] of terms.entries())
    if (sign !== undefined) bySign.set(words[0]!, [...(bySign.get(words[0]!) ?? []), term]);
  const hasSigns = bySign.size > 0 || terms.some(({ words }) => words.some((word) => /[^\p{L}\p{M}\p{N}]/u.test(word)));
  const signed = hasSigns ? signsIn(text, indexed) : [];
  const hits = wordHitsOf(indexed.words, terms, new Map(signed.map(({ span, word }) => [word, span.token])));
  for (const { span, word } of signed.slice(0, mostHits))
    for (const token of [span.token, ...(span.plain === undefined ? [] : [span.plain])])
      for (const term of bySign.get(token) ?? [])
        hits.push({ term, first: word, last: word, isExact: true, range: { start: span.start, end: span.end } });
  if (signed.length === 0) return hits;
  const starts = new Map(hits.map((hit) => [hit, rangeOfHit(hit, indexed).start]));
  return hits.toSorted((one, other) => starts.get(one)! - starts.get(other)!);
}

/** The signs of the divided pieces, with the number of the word that they cling to, or else of any in the piece. */
function signsIn(text: string, indexed: IndexedText): { span: SignSpan; word: number }[] {
  return indexed.pieces.flatMap(({ start, end, firstWord }, piece) => {
    if (firstWord === undefined) return [];
    return signSpansOf(text.slice(start, end)).map((sign) => {
      const span = { ...sign, start: start + sign.start, end: start + sign.end };
      const word = indexed.spansIn(piece).findIndex((one) => one.start < span.end && one.end > span.start);
      return { span, word: firstWord + Math.max(0, word) };
    });
  });
}

function wordHitsOf(
  words: readonly string[],
  terms: readonly TermToFind[],
  signed: ReadonlyMap<number, string>,
): Hit[] {
  const plain = [...terms.entries()].filter(([, { sign }]) => sign === undefined);
  const is = (index: number, token: string): boolean => {
    const word = words[index];
    return word !== undefined && (word === token || withoutArticle(word) === token || signed.get(index) === token);
  };
  const hits: Hit[] = [];
  for (let first = 0; first < words.length && hits.length < mostHits; first += 1) {
    const word = words[first]!;
    if (word === "") continue;
    const bare = withoutArticle(word);
    for (const [term, { words: termWords, isPrefix, stems, beginnings, spellings = [] }] of plain) {
      const [start = ""] = termWords;
      const begins = isPrefix && [word, bare].some((one) => one.startsWith(start));
      const isExact = begins || termWords.every((one, index) => is(first + index, one));
      const isAlike = !isExact && stems.length > 0 && bare.startsWith(beginnings[0]!) && isOfStems(bare, stems);
      const isSpelled =
        !isExact && spellings.some((one) => (one.isPrefix ? word.startsWith(one.word) : word === one.word));
      const isSpelledOut = termWords.length === 1 && start !== word && withUmlautsFolded(start) === word;
      if (isExact || isAlike || isSpelled || isSpelledOut)
        hits.push({ term, first, last: first + termWords.length - 1, isExact: isExact || isSpelledOut });
      else if (termWords.length === 1) {
        const last = endOfCompound(words, first, start);
        if (last !== undefined) hits.push({ term, first, last, isExact: true });
      }
    }
  }
  return hits;
}

const mostParts = 8;

/** The number of the word with which a compound of several words, such as `node` and `js`, ends. */
function endOfCompound(words: readonly string[], first: number, joined: string): number | undefined {
  let rest = joined;
  for (let index = first; index < first + mostParts; index += 1) {
    const word = words[index];
    if (word === undefined || word === "" || !rest.startsWith(word)) return undefined;
    rest = rest.slice(word.length);
    if (rest === "") return index > first ? index : undefined;
  }
  return undefined;
}

const isOfStems = (word: string, stems: readonly string[]): boolean =>
  stems.includes(word) || stemsOf(word).some((stem) => stems.includes(stem));

interface TextRange {
  readonly start: number;
  readonly end: number;
}

const rangeOfHit = ({ first, last, range }: Hit, indexed: IndexedText): TextRange =>
  range ?? { start: indexed.spanOf(first).start, end: indexed.spanOf(last).end };

/** Stops at the first stretch that holds all terms. */
function bestStretch(
  hits: readonly Hit[],
  indexed: IndexedText,
  terms: number,
): { readonly start: number; readonly termCount: number } | undefined {
  let best: { readonly start: number; readonly termCount: number } | undefined;
  for (const [index, hit] of hits.entries()) {
    const { start } = rangeOfHit(hit, indexed);
    const termsWithin = new Set([hit.term]);
    const to = start + longest - longestBefore;
    for (let next = index + 1; next < hits.length && termsWithin.size < terms; next += 1) {
      const other = hits[next]!;
      if (!indexed.mayTouch(other.first, other.last, start, to)) break;
      if (!termsWithin.has(other.term) && rangeOfHit(other, indexed).end <= to) termsWithin.add(other.term);
    }
    if (best === undefined || termsWithin.size > best.termCount) best = { start, termCount: termsWithin.size };
    if (best.termCount === terms) break;
  }
  return best;
}

/** All of a short text; else from a word's beginning to a word's end, with the punctuation that clings to them. */
function windowAround(text: string, indexed: IndexedText, hit: number): [from: number, to: number] {
  const bare = text.trim();
  if (bare.length <= longest) return [text.indexOf(bare), text.indexOf(bare) + bare.length];
  const words = indexed.pieces.flatMap(({ start, end }, piece) =>
    end > hit - longestBefore && start < hit + longest ? indexed.spansIn(piece) : [],
  );
  const from = words.find(({ start }) => start >= hit - longestBefore)?.start ?? hit;
  const first = Math.min(from, hit);
  const last = words.findLast(({ start, end }) => start >= first && end <= first + longest)?.end ?? 0;
  const to = last > hit ? last : first + cutText(text.slice(first), longest).length;
  const before = /[^\s\p{L}\p{M}\p{N}\p{Cs}]{1,3}$/u.exec(text.slice(Math.max(0, first - 3), first))?.[0] ?? "";
  const behind = /^[^\s\p{L}\p{M}\p{N}\p{Cs}]{1,3}/u.exec(text.slice(to, to + 3))?.[0] ?? "";
  return [first - before.length, to + behind.length];
}

function snippetPartsOf(text: string, from: number, to: number, marks: readonly TextRange[]): Snippet["parts"] {
  const parts: { text: string; hit: boolean }[] = [];
  const add = (start: number, end: number, hit: boolean): void => {
    if (end > start) parts.push({ text: text.slice(start, end), hit });
  };
  let position = from;
  let marked: [start: number, end: number] | undefined;
  const close = (): void => {
    if (marked === undefined) return;
    add(position, marked[0], false);
    add(...marked, true);
    position = marked[1];
  };
  for (const { start, end } of marks) {
    const first = Math.max(start, from);
    const last = Math.min(end, to);
    if (marked !== undefined && first < marked[1]) marked = [marked[0], Math.max(marked[1], last)];
    else {
      close();
      marked = [first, last];
    }
  }
  close();
  add(position, to, false);
  return parts;
}

/** Texts are looked through in pieces of about so many characters; only those with hits are taken apart. */
const pieceLength = 200;
/** A text without spaces is cut at this length, even within a word. */
const longestPiece = 1_000;
/** Limit of characters divided into words, in the pieces that may have most of the terms. */
const mostDivided = 20_000;
/** Folded characters that are looked through; a single letter may become eighteen. */
const mostFolded = 400_000;

export interface TermToFind extends SearchTerm {
  /**
   * Beginnings, folded: of the word and all its forms, then of its other spellings. A text without any, with or without its
   * signs, has no match.
   */
  readonly beginnings: readonly string[];
  readonly stems: readonly string[];
}

export function termToFind(term: SearchTerm): TermToFind {
  const [word = ""] = term.words;
  const stems = stemsOfTerm(term);
  const spelled = (term.spellings ?? []).map((spelling) => spelling.word);
  const beginnings = term.words.length > 1 ? term.words : [commonBeginning([word, ...stems]), ...spelled];
  return { ...term, beginnings: beginnings.map(foldedOf), stems };
}

/** A text in pieces, of which those that may have terms are divided into words. */
interface IndexedText {
  readonly pieces: readonly Piece[];
  /** The words of the pieces that may have terms, folded, in order; an empty one where pieces are left out. */
  readonly words: readonly string[];
  /** The words of a piece with their positions in the whole text. */
  spansIn(piece: number): readonly WordSpan[];
  /** The position of a word in the whole text. */
  spanOf(word: number): WordSpan;
  /** True if these words may overlap the range; cheap, because nothing is divided into words. */
  mayTouch(first: number, last: number, from: number, to: number): boolean;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  /** The number of its first word; undefined when it isn't divided. */
  firstWord?: number;
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length;) {
    const space = text.slice(start + pieceLength, start + longestPiece).search(/\s/u);
    const end = Math.min(text.length, start + (space === -1 ? longestPiece : pieceLength + space));
    pieces.push({ start, end });
    start = end;
  }
  return pieces;
}

const withoutSigns = (folded: string): string => folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, "");

/** An umlaut in two letters, as in `mueller`, in the one letter to which it is folded; only to compare words. */
const withUmlautsFolded = (folded: string): string => folded.replace(/([aou])e/gu, "$1");

/** Numbers of the pieces that may have most of the terms, as many as may be divided, in the order of the text. */
function dividedPieces(text: string, pieces: readonly Piece[], terms: readonly TermToFind[]): number[] {
  let left = mostDivided;
  let leftToFold = mostFolded;
  return pieces
    .map(({ start, end }, pieceIndex) => {
      const folded = leftToFold > 0 ? foldedOf(text.slice(start, end)) : "";
      leftToFold -= folded.length;
      const unsigned = withoutSigns(folded);
      const count = terms.filter(({ beginnings }) =>
        beginnings.some((one) => folded.includes(one) || unsigned.includes(withUmlautsFolded(one))),
      ).length;
      return { pieceIndex, count, length: end - start };
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .filter(({ length }) => (left -= length) > -longestPiece)
    .map(({ pieceIndex }) => pieceIndex)
    .toSorted((one, other) => one - other);
}

function indexText(text: string, terms: readonly TermToFind[]): IndexedText {
  const pieces = piecesOf(text);
  const words: string[] = [];
  const pieceOfWord: number[] = [];
  let last = -1;
  for (const pieceIndex of dividedPieces(text, pieces, terms)) {
    const { start, end } = pieces[pieceIndex]!;
    const gap = last === pieceIndex - 1 ? [] : [""];
    const hitWords = wordsOf(text.slice(start, end));
    // A piece of signs alone has a position, too.
    const pieceWords = [...gap, ...(hitWords.length > 0 ? hitWords : [""])];
    pieces[pieceIndex]!.firstWord = words.length + gap.length;
    words.push(...pieceWords);
    pieceOfWord.push(...pieceWords.map(() => pieceIndex));
    last = pieceIndex;
  }
  const spansByTerm = new Map<number, readonly WordSpan[]>();
  function spansIn(piece: number): readonly WordSpan[] {
    const { start, end } = pieces[piece]!;
    const spans =
      spansByTerm.get(piece) ??
      wordSpansOf(text.slice(start, end)).map((span) => ({
        ...span,
        start: start + span.start,
        end: start + span.end,
      }));
    spansByTerm.set(piece, spans);
    return spans;
  }
  return {
    pieces,
    words,
    spansIn,
    spanOf(word) {
      const piece = pieceOfWord[word]!;
      const { start, end, firstWord = 0 } = pieces[piece]!;
      const span = spansIn(piece)[word - firstWord];
      return span !== undefined && span.token === words[word] ? span : { token: words[word]!, start, end };
    },
    mayTouch: (first, last, from, to) =>
      pieces[pieceOfWord[first]!]!.start < to && pieces[pieceOfWord[last]!]!.end > from,
  };
}
