import { wholeCharacters } from "./whole-characters.ts";

/** Writing systems without spaces between words. */
const unspaced =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Thai}\p{Script_Extensions=Khmer}\p{Script_Extensions=Lao}\p{Script_Extensions=Myanmar}]/u;
const betweenSpaces = /[\p{L}\p{N}]\S*/gu;

/** Each segment keeps the text that it was found in, so a long text in one piece takes memory by its square. */
const longestPiece = 500;
let segmenter: Intl.Segmenter | undefined;

/**
 * The number of words in a text. Words stand between spaces, with all their apostrophes and hyphens. Only scripts without
 * spaces are divided by dictionaries, which differ a little between systems.
 */
export function countWords(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(betweenSpaces)) count += unspaced.test(run) ? countUnspaced(run) : 1;
  return count;
}

function countUnspaced(run: string): number {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  let count = 0;
  for (let from = 0; from < run.length;) {
    const piece = wholeCharacters(run.slice(from, from + longestPiece + 1), longestPiece);
    for (const { isWordLike } of segmenter.segment(piece)) if (isWordLike) count += 1;
    from += piece.length;
  }
  return count;
}
