import type { ScriptLength } from "@reelscript/contract";
import {
  commonBeginning,
  mostTerms,
  searchTermsOf,
  stemsOfTerm,
  type SearchTerm,
} from "../../../search/search-terms.ts";
import {
  handleLexeme,
  languageLexeme,
  lengthLexeme,
  lexeme,
  platformLexeme,
  stemLexeme,
} from "../transcripts/search-index.ts";

function spell({ words, isPrefix }: SearchTerm): string {
  const [word = "", ...more] = words.map(lexeme);
  if (isPrefix) return `${word}:*`;
  return more.length === 0 ? word : `(${[word, ...more].join(" <-> ")})`;
}

/** The prefix that all forms share is looked up first, because most texts have no word with that prefix. */
const shortestBeginning = 2;

/** Matches any form with the same stem, and any other spelling. Signs and phrases have no forms. */
function spellLoosely(term: SearchTerm): string {
  const [word = ""] = term.words;
  const stems = stemsOfTerm(term);
  const spellings = (term.spellings ?? []).map((one) => (one.isPrefix ? `${lexeme(one.word)}:*` : lexeme(one.word)));
  const spelled = [spell(term), ...spellings];
  if (stems.length === 0) return spelled.length === 1 ? spell(term) : `(${spelled.join(" | ")})`;
  const forms = stems.flatMap((stem) => (stem === word ? [stemLexeme(stem)] : [lexeme(stem), stemLexeme(stem)]));
  const beginning = commonBeginning([word, ...stems]);
  const others = `(${forms.join(" | ")})`;
  return `(${spelled.join(" | ")} | ${beginning.length < shortestBeginning ? others : `(${lexeme(beginning)}:* & ${others})`})`;
}

export interface SearchQuery {
  readonly tsquery: string;
  /** A query that the best matches also satisfy; equals `tsquery` if there are no other matches. */
  readonly exact: string;
}

/**
 * Two tsquery literals: all words in any form, and in the very form. A quoted phrase as a phrase, the last word as a prefix
 * while nothing follows it. Symbols that people also say in words, such as &, are needed only in the second one, unless
 * there is nothing else. `"everything"` when nothing narrows the search, `"nothing"` when no script can match.
 */
export function searchQueryOf(search: {
  readonly query?: string | undefined;
  readonly handle?: string | undefined;
  readonly platform?: string | undefined;
  readonly language?: string | undefined;
  readonly length?: ScriptLength | undefined;
}): SearchQuery | "everything" | "nothing" {
  const conditions: string[] = [];
  if (search.handle !== undefined) {
    const handle = handleLexeme(search.handle);
    if (!handle) return "nothing";
    conditions.push(handle);
  }
  if (search.platform !== undefined) conditions.push(platformLexeme(search.platform));
  if (search.language !== undefined) conditions.push(languageLexeme(search.language));
  if (search.length !== undefined) conditions.push(lengthLexeme(search.length));
  const joined = (words: readonly string[]): string => [...conditions, ...words].join(" & ");
  if (search.query !== undefined && search.query.trim() !== "") {
    const terms = searchTermsOf(search.query).slice(0, mostTerms);
    if (terms.length === 0) return "nothing";
    const needed = terms.filter(({ sign }) => sign !== "sign");
    const loose = new Set((needed.length > 0 ? needed : terms).map(spellLoosely));
    return { tsquery: joined([...loose]), exact: joined([...new Set(terms.map(spell))]) };
  }
  return conditions.length === 0 ? "everything" : { tsquery: joined([]), exact: joined([]) };
}

/** Words looked for in the rest of a long text; more would take time for each script. */
const mostBeginnings = 8;

/** The beginnings of the searched words that all their forms share. */
export const beginningsIn = (query: string): string[] =>
  searchTermsOf(query)
    .filter(({ sign }) => sign === undefined)
    .slice(0, mostBeginnings)
    .map((term) => commonBeginning([term.words[0] ?? "", ...stemsOfTerm(term)]));
