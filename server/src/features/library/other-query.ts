import type { SimilarWord } from "../../ports.ts";
import { searchTermsOf } from "../../search/search-terms.ts";
import { wordSpansOf } from "../../search/search-tokens.ts";

/** Words of a query for which similar ones are looked for. */
const mostWords = 4;
/** One letter changes the meaning of a shorter word. */
const shortestWord = 4;
const longestWord = 40;

/** The words of a query that may be misspelled, folded: single ones, without signs and quotation marks. */
export const doubtfulWords = (query: string): string[] =>
  [
    ...new Set(
      searchTermsOf(query)
        .filter(({ isQuoted, sign }) => !isQuoted && sign === undefined)
        .map(({ words }) => words[0] ?? "")
        .filter((word) => word.length >= shortestWord && word.length <= longestWord && /\p{L}/u.test(word)),
    ),
  ].slice(0, mostWords);

/**
 * The query with each word that the library doesn't have replaced by the most frequent one that differs by a letter, or else
 * taken apart into two words that it has. Undefined if nothing can be replaced.
 */
export function otherQuery(query: string, similar: readonly SimilarWord[]): string | undefined {
  const replacements = new Map<string, string>();
  for (const word of doubtfulWords(query)) {
    const candidates = similar.filter((one) => one.word === word).map((one) => one.similar);
    if (candidates.includes(word)) continue;
    const other = candidates.find((one) => differsByOne(word, one)) ?? inTwo(word, new Set(candidates));
    if (other !== undefined) replacements.set(word, other);
  }
  if (replacements.size === 0) return undefined;
  let replaced = "";
  let offset = 0;
  for (const { token, start, end } of wordSpansOf(query)) {
    const other = replacements.get(token);
    if (other === undefined) continue;
    replaced += query.slice(offset, start) + other;
    offset = end;
  }
  return replaced === "" ? undefined : replaced + query.slice(offset);
}

/** True if one letter is missing, added or another one, or if two neighbors changed places. */
function differsByOne(one: string, other: string): boolean {
  const letters = Array.from(one);
  const others = Array.from(other);
  if (Math.abs(letters.length - others.length) > 1 || !/^\p{L}[\p{L}\p{M}\p{N}]*$/u.test(other)) return false;
  let start = 0;
  while (start < letters.length && letters[start] === others[start]) start += 1;
  const rest = letters.slice(start).join("");
  const otherRest = others.slice(start).join("");
  const without = (text: string, count: number): string => Array.from(text).slice(count).join("");
  const isSwapped =
    letters[start] === others[start + 1] &&
    letters[start + 1] === others[start] &&
    without(rest, 2) === without(otherRest, 2);
  return (
    one !== other &&
    (isSwapped ||
      without(rest, 1) === otherRest ||
      rest === without(otherRest, 1) ||
      without(rest, 1) === without(otherRest, 1))
  );
}

const shortestPart = 2;

/** The two words of a compound, as a phrase. */
function inTwo(word: string, libraryWords: ReadonlySet<string>): string | undefined {
  for (let end = word.length - shortestPart; end >= shortestPart; end -= 1)
    if (libraryWords.has(word.slice(0, end)) && libraryWords.has(word.slice(end)))
      return `"${word.slice(0, end)} ${word.slice(end)}"`;
  return undefined;
}
