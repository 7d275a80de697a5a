import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as tamil } from "@orama/stemmers/tamil";
import { isBeingTyped, queryParts, type Language } from "@reelscript/contract/values";
import { compoundsOf, eachSpelledWordOf, signSpansOf, withoutArticle, type SignSpan } from "./search-tokens.ts";

/** Another way to write a word. */
interface Spelling {
  readonly word: string;
  /** The word is still being typed. */
  readonly isPrefix: boolean;
}

/** One condition of a search: consecutive words, a single word, or a sign. */
export interface SearchTerm {
  /** Normalized and without article; never empty. */
  readonly words: readonly string[];
  /** The word is still being typed, so longer words match too. Only for a single word. */
  readonly isPrefix: boolean;
  /** Matches only this form. */
  readonly isQuoted?: true | undefined;
  /** `word`: a word with attached signs, such as `c++`; `sign`: a symbol by itself, which people also say in words. */
  readonly sign?: "emoji" | "sign" | "word" | undefined;
  /** Other spellings, which match after the word: with its neighbor as one word, or with umlauts in two letters. */
  readonly spellings?: readonly Spelling[] | undefined;
}

/** Further words of an endless query are ignored. */
export const mostTerms = 64;
const shortestPrefix = 2;

/** The stems by which a term matches other forms; phrases, quoted words and signs have none. */
export const stemsOfTerm = ({ words: [word = "", ...more], isQuoted, sign }: SearchTerm): string[] =>
  more.length > 0 || isQuoted || sign !== undefined ? [] : stemsOf(word);

/** The terms of a query: all words, a quoted phrase as a phrase, the last word as a prefix while it is being typed. */
export function searchTermsOf(query: string): SearchTerm[] {
  const parts = queryParts(query);
  const typed = isBeingTyped(query);
  return withNeighbors(
    parts.map(({ text, isPhrase }, index): SearchTerm[] =>
      isPhrase ? phraseTerms(text) : wordTerms(text, typed && index === parts.length - 1),
    ),
  );
}

const shortestPart = 2;
const shortestPair = 5;

const isPlain = ({ sign, isQuoted }: SearchTerm): boolean => sign === undefined && !isQuoted;

/** Two words that follow one another are also found as one: touch tone, touchtone. */
function withNeighbors(parts: readonly (readonly SearchTerm[])[]): SearchTerm[] {
  const pairOf = (one: readonly SearchTerm[] = [], other: readonly SearchTerm[] = []): Spelling[] => {
    const first = one[0];
    const second = other[0];
    if (one.length !== 1 || other.length !== 1 || !first || !second || !isPlain(first) || !isPlain(second)) return [];
    const words = [first.words[0]!, second.words[0]!];
    const word = words.join("");
    const isWord = words.every(({ length }) => length >= shortestPart) && word.length >= shortestPair;
    return isWord ? [{ word, isPrefix: second.isPrefix }] : [];
  };
  return parts.flatMap((terms, index) => {
    const pairs = [...pairOf(parts[index - 1], terms), ...pairOf(terms, parts[index + 1])];
    return pairs.length === 0
      ? terms
      : terms.map((term) => ({ ...term, spellings: [...(term.spellings ?? []), ...pairs] }));
  });
}

/** The pieces of a query that aren't searched, because they consist of punctuation. */
export const ignoredParts = (query: string): string[] =>
  queryParts(query)
    .filter(({ text, isPhrase }) => text !== "" && (isPhrase ? phraseTerms(text) : wordTerms(text, false)).length === 0)
    .map(({ text }) => text);

const signTerm = (token: string, sign: SearchTerm["sign"]): SearchTerm => ({ words: [token], isPrefix: false, sign });

/** Symbols have no position among the words of a phrase, but they must occur as well. */
function phraseTerms(text: string): SearchTerm[] {
  const spans = signSpansOf(text);
  const words = wordsWithSigns(text, spans).slice(0, mostTerms);
  const symbols = spans.flatMap(({ kind, token }) => (kind === "word" ? [] : [signTerm(token, kind)]));
  const [first] = words;
  if (first === undefined) return symbols;
  const phrase: SearchTerm =
    words.length === 1 && first.isSigned
      ? signTerm(first.token, "word")
      : { words: words.map(({ token }) => token), isPrefix: false, isQuoted: true };
  return [phrase, ...symbols];
}

function wordTerms(text: string, beingTyped: boolean): SearchTerm[] {
  const spans = signSpansOf(text);
  const words = wordsWithSigns(text, spans);
  const symbols = spans.flatMap(({ kind, token }) => (kind === "word" ? [] : [signTerm(token, kind)]));
  const joined = joinedOf(text, words);
  return [
    ...words.map(({ token, isSigned, spelledOut }, index): SearchTerm => {
      const isLast = beingTyped && index === words.length - 1 && symbols.length === 0;
      const isPrefix = isLast && /[\p{L}\p{M}\p{N}]$/u.test(token) && Array.from(token).length >= shortestPrefix;
      if (isSigned) return { words: [token], isPrefix, sign: "word" };
      const asOne = joined.get(index);
      const isOneTyped =
        beingTyped && symbols.length === 0 && asOne !== undefined && asOne === joined.get(words.length - 1);
      const spellings: Spelling[] = [
        ...(asOne === undefined ? [] : [{ word: asOne, isPrefix: isOneTyped }]),
        ...(spelledOut === undefined ? [] : [{ word: spelledOut, isPrefix }]),
      ];
      return { words: [token], isPrefix, ...(spellings.length > 0 && { spellings }) };
    }),
    ...symbols,
  ];
}

/** The compound that each word, by its number, is a part of. */
function joinedOf(text: string, words: readonly SignedWord[]): ReadonlyMap<number, string> {
  const joined = new Map<number, string>();
  let from = 0;
  for (const compound of compoundsOf(text)) {
    const isHere = (start: number): boolean =>
      compound.words.every((word, index) => words[start + index]?.token === withoutArticle(word));
    while (from < words.length && !isHere(from)) from += 1;
    if (from === words.length) break;
    for (const index of compound.words.keys()) joined.set(from + index, compound.joined);
    from += compound.words.length;
  }
  return joined;
}

interface SignedWord {
  readonly token: string;
  readonly isSigned: boolean;
  readonly spelledOut?: string | undefined;
}

/** A sign written at a word is meant: `c++` is not `c`. */
function wordsWithSigns(text: string, spans: readonly SignSpan[]): SignedWord[] {
  const signedWords: SignedWord[] = [];
  const addWords = (piece: string): void => {
    for (const { token, spelledOut } of eachSpelledWordOf(piece))
      signedWords.push({ token: withoutArticle(token), isSigned: false, spelledOut });
  };
  let offset = 0;
  for (const { token, start, end, kind } of spans) {
    if (start < offset) continue;
    addWords(text.slice(offset, start));
    if (kind === "word") signedWords.push({ token, isSigned: true });
    offset = end;
  }
  addWords(text.slice(offset));
  return signedWords;
}

type Stemmer = (word: string) => string;

const latin: Partial<Record<Language, Stemmer>> = {
  en: english,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  it: italian,
  id: indonesian,
};

/** Stemmers by the script of a word's first letters. Telugu has none. */
const others: readonly (readonly [RegExp, Stemmer])[] = [
  [/^\p{Script=Devanagari}/u, hindi],
  [/^\p{Script=Tamil}/u, tamil],
  [/^\p{Script=Arabic}/u, arabic],
];

const latinWord = /^\p{Script=Latin}+$/u;
const shortestStem = 3;

const stemBy = (stemmer: Stemmer, word: string): string | undefined => {
  const stem = stemmer(word);
  return stem.length >= shortestStem ? stem : undefined;
};

/**
 * The stem of a folded word in a text of that language; `undefined` if there is none, or if the word is its own stem. Latin
 * words in a text of another script count as English.
 */
export function stemIn(language: string, word: string): string | undefined {
  if (word.length <= shortestStem) return undefined;
  const stemmer = latinWord.test(word)
    ? (latin[language as Language] ?? english)
    : others.find(([letters]) => letters.test(word))?.[1];
  const stem = stemmer && stemBy(stemmer, word);
  return stem === word ? undefined : stem;
}

/** The possible stems of a folded word in any language, including the word itself where it is its own stem. */
export function stemsOf(word: string): string[] {
  if (word.length < shortestStem) return [];
  const stemmers = latinWord.test(word)
    ? Object.values(latin)
    : others.filter(([letters]) => letters.test(word)).map(([, stemmer]) => stemmer);
  return [...new Set(stemmers.flatMap((stemmer) => stemBy(stemmer, word) ?? []))];
}

/** The longest prefix that all words share. */
export function commonBeginning(words: readonly string[]): string {
  const [first = "", ...rest] = words;
  let length = first.length;
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
