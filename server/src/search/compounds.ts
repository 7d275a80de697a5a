import { unspaced, wordsOf } from "./search-tokens.ts";

/** Words that are written as one, with signs between their parts: node.js, wi-fi, U.S.A., don't, 10,000. */
export interface Compound {
  readonly start: number;
  readonly end: number;
  /** Its parts without the signs, folded, such as `nodejs`. */
  readonly joined: string;
  /** Its parts, folded, such as `node` and `js`. */
  readonly words: readonly string[];
}

/** Between two digits, only the signs of thousands join: 3.5 isn't 35. */
const compound =
  /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:(?:(?<!\p{N})[.\-_\u00B7\u2010\u2011'\u2019\u02BC\uFF07]|[.\-_\u00B7\u2010\u2011](?!\p{N})|(?<=\p{N})[.,'\u2019](?=\p{N}{3}(?!\p{N})))[\p{L}\p{N}][\p{L}\p{M}\p{N}]*){1,7}/gu;
const longestJoined = 60;

/** The compounds of a text in order. Scripts without spaces have none. */
export function compoundsOf(text: string): Compound[] {
  const compounds: Compound[] = [];
  for (const { 0: matchedText, index } of text.matchAll(compound)) {
    if (matchedText.length > 2 * longestJoined || unspaced.test(matchedText)) continue;
    const words = wordsOf(matchedText);
    const joined = words.join("");
    if (words.length > 1 && joined.length > 1 && joined.length <= longestJoined)
      compounds.push({ start: index, end: index + matchedText.length, joined, words });
  }
  return compounds;
}
