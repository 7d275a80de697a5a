import type { ScriptLength } from "@reelscript/contract";
import { mostTerms, searchTermsOf, type SearchTerm } from "../../../search/search-terms.ts";
import { handleLexeme, languageLexeme, lengthLexeme, lexeme } from "./search-index.ts";

function spell({ words, isPrefix }: SearchTerm): string {
  const [word = "", ...more] = words.map(lexeme);
  if (isPrefix) return `${word}:*`;
  return more.length === 0 ? word : `(${[word, ...more].join(" <-> ")})`;
}

/**
 * A tsquery literal: all words, a quoted phrase as a phrase, the last word as a prefix while nothing follows it.
 * `"everything"` when nothing narrows the search, `"nothing"` when no script can match.
 */
export function searchQueryOf(search: {
  readonly query?: string | undefined;
  readonly handle?: string | undefined;
  readonly language?: string | undefined;
  readonly length?: ScriptLength | undefined;
}): { readonly tsquery: string } | "everything" | "nothing" {
  const conditions: string[] = [];
  if (search.handle !== undefined) {
    const handle = handleLexeme(search.handle);
    if (!handle) return "nothing";
    conditions.push(handle);
  }
  if (search.language !== undefined) conditions.push(languageLexeme(search.language));
  if (search.length !== undefined) conditions.push(lengthLexeme(search.length));
  if (search.query !== undefined && search.query.trim() !== "") {
    const terms = Array.from(new Set(searchTermsOf(search.query).map(spell))).slice(0, mostTerms);
    if (terms.length === 0) return "nothing";
    conditions.push(...terms);
  }
  return conditions.length === 0 ? "everything" : { tsquery: conditions.join(" & ") };
}
