import { withoutArticle, wordsOf } from "./search-tokens.ts";

/** One condition of a search: words that follow one another, or a single word. */
export interface SearchTerm {
  /** Folded and without article; never empty. */
  readonly words: readonly string[];
  /** Still being typed: what begins so matches too. Only of a single word. */
  readonly isPrefix: boolean;
}

/** Further words of an endless query are ignored. */
export const mostTerms = 64;
const shortestPrefix = 2;

/** What a query asks for: all words, a quoted phrase as a phrase, the last word as a prefix while nothing follows it. */
export function searchTermsOf(query: string): SearchTerm[] {
  const parts = Array.from(query.matchAll(/"([^"]*)"|[^\s"]+/gu));
  return parts.flatMap((part, index): SearchTerm[] => {
    const phrase = part[1];
    if (phrase !== undefined) {
      const words = wordsOf(phrase).slice(0, mostTerms).map(withoutArticle);
      return words.length === 0 ? [] : [{ words, isPrefix: false }];
    }
    const words = wordsOf(part[0]);
    const beingTyped = index === parts.length - 1 && query.endsWith(part[0]);
    return words.map((token, place) => ({
      words: [withoutArticle(token)],
      isPrefix: beingTyped && place === words.length - 1 && Array.from(token).length >= shortestPrefix,
    }));
  });
}
