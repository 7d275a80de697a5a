import { accountLexeme, handleLexeme, lexeme } from "./search-index.ts";
import { withoutArticle, wordsOf } from "../../search-tokens.ts";

/** Further words of an endless query are ignored. */
const mostTerms = 64;
const shortestPrefix = 2;

const spell = (token: string): string => lexeme(withoutArticle(token));

function termsOf(query: string): string[] {
  const parts = Array.from(query.matchAll(/"([^"]*)"|[^\s"]+/gu));
  return parts.flatMap((part, index) => {
    const phrase = part[1];
    if (phrase !== undefined) {
      const words = wordsOf(phrase).slice(0, mostTerms);
      return words.length === 0 ? [] : [`(${words.map(spell).join(" <-> ")})`];
    }
    const words = wordsOf(part[0]);
    const beingTyped = index === parts.length - 1 && query.endsWith(part[0]);
    return words.map((token, place) => {
      const isPrefix = beingTyped && place === words.length - 1 && Array.from(token).length >= shortestPrefix;
      return isPrefix ? `${spell(token)}:*` : spell(token);
    });
  });
}

/**
 * A tsquery literal for an account's scripts: all words, a quoted phrase as a phrase, the last word as a prefix while
 * nothing follows it. `"everything"` when nothing narrows the search, `"nothing"` when no script can match.
 */
export function searchQueryOf(
  accountId: string,
  search: { readonly query?: string | undefined; readonly handle?: string | undefined },
): { readonly tsquery: string } | "everything" | "nothing" {
  const conditions = [accountLexeme(accountId)];
  if (search.handle !== undefined) {
    const handle = handleLexeme(search.handle);
    if (!handle) return "nothing";
    conditions.push(handle);
  }
  if (search.query !== undefined && search.query.trim() !== "") {
    const terms = Array.from(new Set(termsOf(search.query))).slice(0, mostTerms);
    if (terms.length === 0) return "nothing";
    conditions.push(...terms);
  }
  return conditions.length === 1 ? "everything" : { tsquery: conditions.join(" & ") };
}
