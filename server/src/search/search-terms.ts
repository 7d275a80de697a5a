import { isBeingTyped, queryParts } from "@reelscript/contract/values";
import { type SignSpan, signSpansOf } from "./search-signs.ts";
import { withoutArticle, wordsOf } from "./search-tokens.ts";
import { stemsOf } from "./stems.ts";

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
  return parts.flatMap(({ text, isPhrase }, index): SearchTerm[] =>
    isPhrase ? phraseTerms(text) : wordTerms(text, typed && index === parts.length - 1),
  );
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
  return [
    ...words.map(({ token, isSigned }, index): SearchTerm => {
      const isLast = beingTyped && index === words.length - 1 && symbols.length === 0;
      const isPrefix = isLast && /[\p{L}\p{M}\p{N}]$/u.test(token) && Array.from(token).length >= shortestPrefix;
      return { words: [token], isPrefix, ...(isSigned && { sign: "word" as const }) };
    }),
    ...symbols,
  ];
}

/** A sign written at a word is meant: `c++` is not `c`. */
function wordsWithSigns(text: string, spans: readonly SignSpan[]): { token: string; isSigned: boolean }[] {
  const words: { token: string; isSigned: boolean }[] = [];
  const addWords = (piece: string): void => {
    for (const token of wordsOf(piece)) words.push({ token: withoutArticle(token), isSigned: false });
  };
  let offset = 0;
  for (const { token, start, end, kind } of spans) {
    if (start < offset) continue;
    addWords(text.slice(offset, start));
    if (kind === "word") words.push({ token, isSigned: true });
    offset = end;
  }
  addWords(text.slice(offset));
  return words;
}
