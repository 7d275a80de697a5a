import { stemsOfTerm, type SearchTerm } from "../../search/search-terms.ts";
import { commonBeginning } from "../../search/stems.ts";
import { foldedOf, wordSpansOf, wordsOf, type WordSpan } from "../../search/search-tokens.ts";

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
export interface IndexedText {
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
export const withUmlautsFolded = (folded: string): string => folded.replace(/([aou])e/gu, "$1");

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

export function indexText(text: string, terms: readonly TermToFind[]): IndexedText {
  const pieces = piecesOf(text);
  const words: string[] = [];
  const pieceOfWord: number[] = [];
  let last = -1;
  for (const pieceIndex of dividedPieces(text, pieces, terms)) {
    const { start, end } = pieces[pieceIndex]!;
    const gap = last === pieceIndex - 1 ? [] : [""];
    const said = wordsOf(text.slice(start, end));
    // A piece of signs alone has a position, too.
    const pieceWords = [...gap, ...(said.length > 0 ? said : [""])];
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
