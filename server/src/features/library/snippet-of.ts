import type { SearchTerm } from "../../search-terms.ts";
import { withoutArticle, wordSpansOf, wordsOf, type WordSpan } from "../../search-tokens.ts";

/** Characters that a snippet has at most, and that stand before the first hit; punctuation at its ends may add a few. */
const longest = 200;
const longestBefore = 60;
/** Texts are looked through in pieces of about so many characters; only those with hits are taken apart. */
const pieceLength = 200;
/** A word that comes a thousand times needs no better place than the best of the first. */
const mostHits = 200;

export interface Snippet {
  /** In order they are a stretch of the text, word for word. */
  readonly parts: readonly { readonly text: string; readonly hit: boolean }[];
  /** How many of the terms it holds. */
  readonly found: number;
  /** Where in the text its first hit begins. */
  readonly at: number;
}

/** The first stretch of a text that holds as many of the terms as any other. `undefined` when none is there. */
export function snippetOf(text: string, terms: readonly SearchTerm[]): Snippet | undefined {
  const indexed = indexText(text);
  const hits = hitsOf(indexed, terms);
  const best = bestStretch(hits, terms.length);
  if (best === undefined) return undefined;
  const [from, to] = windowAround(text, indexed, best.start);
  const marks = hits.filter((hit) => hit.end > from && hit.start < to);
  return { parts: partsOf(text, from, to, marks), found: best.found, at: Math.max(from, marks[0]?.start ?? from) };
}

interface IndexedText {
  readonly pieces: readonly { readonly start: number; readonly end: number; readonly firstWord: number }[];
  /** All words, folded, in order. */
  readonly words: readonly string[];
  /** The words of a piece with their places in the whole text. */
  spansIn(piece: number): readonly WordSpan[];
  /** The place of a word in the whole text. */
  spanOf(word: number): WordSpan;
}

function indexText(text: string): IndexedText {
  const pieces: IndexedText["pieces"][number][] = [];
  const words: string[] = [];
  const pieceOfWord: number[] = [];
  const space = /\s/gu;
  for (let start = 0; start < text.length;) {
    space.lastIndex = start + pieceLength;
    const end = space.exec(text)?.index ?? text.length;
    pieces.push({ start, end, firstWord: words.length });
    for (const word of wordsOf(text.slice(start, end))) {
      words.push(word);
      pieceOfWord.push(pieces.length - 1);
    }
    start = end;
  }
  const known = new Map<number, readonly WordSpan[]>();
  function spansIn(piece: number): readonly WordSpan[] {
    const { start, end } = pieces[piece]!;
    const spans =
      known.get(piece) ??
      wordSpansOf(text.slice(start, end)).map((span) => ({
        ...span,
        start: start + span.start,
        end: start + span.end,
      }));
    known.set(piece, spans);
    return spans;
  }
  return {
    pieces,
    words,
    spansIn,
    spanOf(word) {
      const piece = pieceOfWord[word]!;
      const { start, end, firstWord } = pieces[piece]!;
      const span = spansIn(piece)[word - firstWord];
      return span !== undefined && span.token === words[word] ? span : { token: words[word]!, start, end };
    },
  };
}

interface Hit {
  /** Place of the term in the query. */
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** In the order of the text. */
function hitsOf({ words, spanOf }: IndexedText, terms: readonly SearchTerm[]): Hit[] {
  const whole = new Map<string, number[]>();
  const prefixes: number[] = [];
  terms.forEach(({ words: [first = ""], isPrefix }, term) => {
    if (isPrefix) prefixes.push(term);
    else whole.set(first, [...(whole.get(first) ?? []), term]);
  });
  const follows = (place: number, term: number): boolean =>
    terms[term]!.words.every((wanted, index) => {
      const word = words[place + index];
      return word === wanted || (word !== undefined && withoutArticle(word) === wanted);
    });
  const hits: Hit[] = [];
  for (let place = 0; place < words.length && hits.length < mostHits; place += 1) {
    const word = words[place]!;
    const bare = withoutArticle(word);
    const begun = new Set([...(whole.get(word) ?? []), ...(whole.get(bare) ?? [])]);
    const found = [
      ...[...begun].filter((term) => follows(place, term)),
      ...prefixes.filter((term) => [word, bare].some((one) => one.startsWith(terms[term]!.words[0]!))),
    ];
    for (const term of found) {
      const last = spanOf(place + terms[term]!.words.length - 1);
      hits.push({ term, start: spanOf(place).start, end: last.end });
    }
  }
  return hits;
}

function bestStretch(
  hits: readonly Hit[],
  terms: number,
): { readonly start: number; readonly found: number } | undefined {
  let best: { readonly start: number; readonly found: number } | undefined;
  for (const [index, { start }] of hits.entries()) {
    const found = new Set<number>();
    for (let next = index; next < hits.length && hits[next]!.start < start + longest; next += 1)
      if (next === index || hits[next]!.end <= start + longest - longestBefore) found.add(hits[next]!.term);
    if (best === undefined || found.size > best.found) best = { start, found: found.size };
    if (best.found === terms) break;
  }
  return best;
}

/** All of a short text; else from a word's beginning to a word's end, with the punctuation that clings to them. */
function windowAround(text: string, { pieces, spansIn }: IndexedText, hit: number): [from: number, to: number] {
  const bare = text.trim();
  if (bare.length <= longest) return [text.indexOf(bare), text.indexOf(bare) + bare.length];
  const words = pieces.flatMap(({ start, end }, piece) =>
    end > hit - longestBefore && start < hit + longest ? spansIn(piece) : [],
  );
  const from = words.find(({ start }) => start >= hit - longestBefore)?.start ?? hit;
  const first = Math.min(from, hit);
  const last = words.findLast(({ start, end }) => start >= first && end <= first + longest)?.end ?? 0;
  const to = last > hit ? last : wholeCharacters(text, Math.min(text.length, first + longest));
  const before = /[^\s\p{L}\p{M}\p{N}\p{Cs}]{1,3}$/u.exec(text.slice(Math.max(0, first - 3), first))?.[0] ?? "";
  const behind = /^[^\s\p{L}\p{M}\p{N}\p{Cs}]{1,3}/u.exec(text.slice(to, to + 3))?.[0] ?? "";
  return [first - before.length, to + behind.length];
}

/** Never half of a surrogate pair. */
const wholeCharacters = (text: string, end: number): number =>
  /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;

function partsOf(text: string, from: number, to: number, marks: readonly Hit[]): Snippet["parts"] {
  const parts: { text: string; hit: boolean }[] = [];
  const add = (start: number, end: number, hit: boolean): void => {
    if (end > start) parts.push({ text: text.slice(start, end), hit });
  };
  let place = from;
  let marked: [start: number, end: number] | undefined;
  const close = (): void => {
    if (marked === undefined) return;
    add(place, marked[0], false);
    add(...marked, true);
    place = marked[1];
  };
  for (const { start, end } of marks) {
    const [first, last] = [Math.max(start, from), Math.min(end, to)];
    if (marked !== undefined && first < marked[1]) marked = [marked[0], Math.max(marked[1], last)];
    else {
      close();
      marked = [first, last];
    }
  }
  close();
  add(place, to, false);
  return parts;
}
