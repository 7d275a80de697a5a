import { foldedOf } from "./search-tokens.ts";

/** A searchable sign of a text, and its position in the text. */
export interface SignSpan {
  /** The sign with the word it belongs to, folded: `c++`, `$100`. An emoji has no variation selectors. */
  readonly token: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "emoji" | "sign" | "word";
  /** An emoji of any skin color is also found without one. */
  readonly plain?: string | undefined;
}

const emoji =
  /\p{RI}\p{RI}|[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}[\uFE0E\uFE0F]?(?:\p{Emoji_Modifier}|[\u{E0020}-\u{E007F}]{1,9})?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?){0,9}/gu;
const signs = /(?:(?!\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier})[\p{S}&%#\uFF06\uFF05\uFF03])+/gu;
const mayHaveSigns = /[\p{S}&%#\uFF06\uFF05\uFF03\p{RI}\p{Extended_Pictographic}]|\u20E3|\.\p{L}/u;

const selectors = /[\uFE0E\uFE0F]/gu;
const skinColors = /\p{Emoji_Modifier}/gu;
const words = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const wordBehind = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/u;
/** Signs that change the meaning of the preceding word: C++, C#, 50%, 20°, 5€. */
const clingsBehind = /^[+#%\u2030\u00B0\p{Sc}]{1,4}$/u;
const clingsBefore = /^[+\p{Sc}]$/u;
/** Names such as .NET, but not a word after an ellipsis. */
const dotName = /(?<![^\s([{"\u201C\u2018\u00AB])\.(?=\p{L})/gu;

const longestWord = 60;
const longestSign = 8;

/** The signs of a text: emoji, words with signs that belong to them, and other symbols, but no punctuation. */
export function signSpansOf(text: string): SignSpan[] {
  if (!mayHaveSigns.test(text)) return [];
  const spans: SignSpan[] = [];
  for (const { 0: match, index } of text.matchAll(emoji)) {
    // A digit in a keycap needs its frame, and letters such as © are emoji by their nature.
    const token = match.replace(selectors, "");
    const plain = token.replace(skinColors, "");
    spans.push({
      token,
      start: index,
      end: index + match.length,
      kind: "emoji",
      ...(plain !== token && { plain }),
    });
  }
  for (const { 0: match, index } of text.matchAll(signs)) {
    const span = signAt(text, match, index);
    if (span !== undefined) spans.push(span);
  }
  for (const { index } of text.matchAll(dotName)) {
    const word = wordBehind.exec(text.slice(index + 1, index + 1 + longestWord))?.[0] ?? "";
    spans.push({ token: `.${foldedOf(word)}`, start: index, end: index + 1 + word.length, kind: "word" });
  }
  return spans.toSorted((one, other) => one.start - other.start);
}

/** The word at the end of a text. */
function wordThatEnds(text: string): string {
  const last = Array.from(text.matchAll(words)).at(-1);
  return last !== undefined && last.index + last[0].length === text.length ? last[0] : "";
}

function signAt(text: string, match: string, start: number): SignSpan | undefined {
  const end = start + match.length;
  const sign = match.normalize("NFKC");
  const before = wordThatEnds(text.slice(Math.max(0, start - longestWord), start));
  const behind = wordBehind.exec(text.slice(end, end + longestWord))?.[0] ?? "";
  if (clingsBefore.test(sign) && behind !== "" && (before === "" || !clingsBehind.test(sign)))
    return { token: sign + foldedOf(behind), start, end: end + behind.length, kind: "word" };
  // People search for a tag by its word.
  if (sign === "#" && behind !== "") return undefined;
  if (before !== "" && clingsBehind.test(sign))
    return { token: foldedOf(before) + sign, start: start - before.length, end, kind: "word" };
  return { token: Array.from(sign).slice(0, longestSign).join(""), start, end, kind: "sign" };
}
