import { wholeCharacters } from "@reelscript/contract/values";

/*
 * The database never splits text itself: its rules differ between engines, versions and locales. It stores and compares
 * the tokens made here, which hold letters, marks and digits only (docs/decisions/search.md).
 */

const latinLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

const arabicLetters: Readonly<Record<string, string>> = {
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ئ: "ي",
  ة: "ه",
  ؤ: "و",
  ک: "ك",
};

/** Marks piled up on one letter; ordering them takes time by the square of their number. */
const piledMarks = /(\p{M}{30})\p{M}+/gu;
const invisible = /\p{Cf}|\p{Me}|\p{Variation_Selector}|\u0640/gu;
const arabicVowelSigns = /[\u064B-\u065F\u0670\u06D6-\u06ED\u08D3-\u08FF]/gu;
/** Hindi writes the nasal before a consonant of its own group either as a letter or as a dot: हिन्दी, हिंदी. */
const nasalLetters =
  /\u0919\u094D(?=[\u0915-\u0918])|\u091E\u094D(?=[\u091A-\u091D])|\u0923\u094D(?=[\u091F-\u0922])|\u0928\u094D(?=[\u0924-\u0927])|\u092E\u094D(?=[\u092A-\u092D])/gu;
const apostropheInside = /(?<=\p{L})['\u2019\u02BC\uFF07](?=\p{L})/gu;
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const unspaced =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Thai}\p{Script_Extensions=Khmer}\p{Script_Extensions=Lao}\p{Script_Extensions=Myanmar}]/u;
const beyondAscii = /[^\p{ASCII}]/u;
/** ASCII needs no folding but that of case. */
const asciiWord = /[a-z0-9]+/g;

const longestWord = 60;

const digitValue = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 128) return digit;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
};

/** Normalizes spellings that readers consider the same: case, accents, vowel signs, digits, invisible marks. */
function fold(text: string): string {
  const plain = text
    .replace(piledMarks, "$1")
    .normalize("NFKC")
    .replace(apostropheInside, " ")
    .replace(invisible, "")
    .toLowerCase();
  if (!beyondAscii.test(plain)) return plain;
  return plain
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, "")
    .normalize("NFC")
    .replace(/[ßæœøłđðþı]/gu, (letter) => latinLetters[letter] ?? letter)
    .replace(arabicVowelSigns, "")
    .replace(/[أإآٱىیئةؤک]/gu, (letter) => arabicLetters[letter] ?? letter)
    .replace(/\u093C/gu, "")
    .replace(/\u0901/gu, "\u0902")
    .replace(nasalLetters, "\u0902")
    .replace(/\p{Nd}/gu, digitValue);
}

const shortened = (token: string): string =>
  token.length <= longestWord ? token : Array.from(token).slice(0, longestWord).join("");

let segmenter: Intl.Segmenter | undefined;

/** Each segment keeps the text that it was found in, so a long text in one piece takes memory by its square. */
const longestPiece = 500;
/** Words this close to a piece's end may be taken apart differently when the text continues. */
const unsureLength = 100;

/** Divides a text in scripts without spaces into the same words as segmenting it whole, but piece by piece. */
function segmentedWords(text: string): string[] {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  const words: string[] = [];
  let from = 0;
  while (from < text.length) {
    const isLast = from + longestPiece >= text.length;
    const piece = isLast ? text.slice(from) : wholeCharacters(text.slice(from), longestPiece);
    const segments = Array.from(segmenter.segment(piece));
    const taken = isLast ? segments : segments.slice(0, sureSegments(segments));
    for (const { isWordLike, segment } of taken) if (isWordLike) words.push(...(segment.match(word) ?? []));
    from += taken.reduce((length, { segment }) => length + segment.length, 0);
  }
  return words;
}

/** How many segments of a piece the following text can't change; at least one. */
function sureSegments(segments: readonly Intl.SegmentData[]): number {
  const sureEnd = longestPiece - unsureLength;
  const sure = segments.filter(({ index, segment }) => index + segment.length <= sureEnd);
  const parting = sure.findLastIndex(({ index, isWordLike }) => index > sureEnd / 2 && !isWordLike);
  return Math.max(1, parting === -1 ? sure.length : parting + 1);
}

/** Longer texts are folded and divided part by part, so that a reader of the first words doesn't pay for the rest. */
const longestPart = 4_000;
/** From this length on, a part ends at the next end of a word, if there is one. */
const shortestPart = 3_000;
const betweenWords = /[\s\p{P}]/u;

/** The end of the part that begins at `from`. */
function endOfPart(text: string, from: number): number {
  const latest = from + longestPart;
  if (latest >= text.length) return text.length;
  for (let end = latest; end > from + shortestPart; end -= 1)
    if (betweenWords.test(text[end]!) && !isApostrophe.test(text[end]!)) return end;
  return from + wholeCharacters(text.slice(from), longestPart).length;
}

/** The words of a text in their order, folded. */
function* eachWordOf(text: string): Generator<string> {
  for (const { token } of eachSpelledWordOf(text)) yield token;
}

/** A folded word of a text. */
interface SpelledWord {
  readonly token: string;
  /** The same word with its umlauts in two letters, as in `mueller` for `Müller`. */
  readonly spelledOut?: string | undefined;
}

const umlaut = /([aou])\u0308/giu;
const mayHaveUmlauts = /[äöüÄÖÜ]|\u0308/u;

/** The words of a text in their order, with their other spelling where they have an umlaut. */
export function* eachSpelledWordOf(text: string): Generator<SpelledWord> {
  for (let from = 0; from < text.length;) {
    const end = endOfPart(text, from);
    const part = text.slice(from, end);
    const tokens = wordsOfPart(part);
    const spelledOut = mayHaveUmlauts.test(part)
      ? wordsOfPart(part.replace(piledMarks, "$1").normalize("NFD").replace(umlaut, "$1e"))
      : [];
    for (const [index, token] of tokens.entries()) {
      const other = spelledOut.length === tokens.length ? spelledOut[index] : undefined;
      yield other === undefined || other === token ? { token } : { token, spelledOut: other };
    }
    from = end;
  }
}

/** Collects `eachWordOf`. */
export const wordsOf = (text: string): string[] => [...eachWordOf(text)];

/** A text in the same normalization as its words, so that each of them occurs in it. */
export const foldedOf = (text: string): string => (beyondAscii.test(text) ? fold(text) : text.toLowerCase());

function wordsOfPart(text: string): string[] {
  const folded = foldedOf(text);
  const words =
    beyondAscii.test(text) && unspaced.test(folded)
      ? segmentedWords(folded)
      : (folded.match(beyondAscii.test(text) ? word : asciiWord) ?? []);
  return words.map(shortened);
}

/** A word of a text, normalized, and its position in the original text. */
export interface WordSpan {
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

/** A letter with its combining marks, and the nasal before it. */
const cluster = /(?:[\u0919\u091E\u0923\u0928\u092E]\u094D(?=\p{L}))?[^][\p{M}\p{Cf}\u0640]*/gu;
const run = /[^\s\u0085]+/gu;
const parting = /((?<=\p{L}[\u0300-\u036F]*)['\u2019\u02BC\uFF07](?=\p{L}))/u;
const isApostrophe = /^['\u2019\u02BC\uFF07]$/u;
/** Longer runs aren't words, and dividing them would cost too much. */
const longestRun = 2_000;

/** The words of a text in order, as in `wordsOf`, with their positions. */
export function wordSpansOf(text: string): WordSpan[] {
  if (!beyondAscii.test(text)) return asciiSpans(text, 0);
  const spans: WordSpan[] = [];
  for (const { 0: whole, index } of text.matchAll(run)) {
    let offset = index;
    for (const piece of whole.split(parting)) {
      if (/[\p{L}\p{N}]/u.test(piece) && !isApostrophe.test(piece))
        for (const span of spansOfPiece(piece, offset)) spans.push(span);
      offset += piece.length;
    }
  }
  return spans;
}

/** The same letters recur, and folding one costs as much as folding a line. */
const foldedLetters = new Map<string, string>();
const mostLetters = 5_000;

function foldLetter(letter: string): string {
  const cachedFold = foldedLetters.get(letter);
  if (cachedFold !== undefined) return cachedFold;
  const folded = fold(letter);
  if (foldedLetters.size < mostLetters && letter.length <= 8) foldedLetters.set(letter, folded);
  return folded;
}

function spansOfPiece(piece: string, offset: number): WordSpan[] {
  if (!beyondAscii.test(piece)) return asciiSpans(piece, offset);
  const tokens = wordsOf(piece);
  const whole = (): WordSpan[] => tokens.map((token) => ({ token, start: offset, end: offset + piece.length }));
  if (tokens.length === 0 || piece.length > longestRun) return whole();
  // Folded letter by letter, so that the origin of every folded character is known.
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: letter, index } of piece.matchAll(cluster)) {
    const plain = foldLetter(letter);
    for (const _ of plain.split("")) {
      starts.push(index);
      ends.push(index + letter.length);
    }
    folded += plain;
  }
  const together = fold(piece);
  if (together.length !== folded.length) return whole();
  const spans: WordSpan[] = [];
  let from = 0;
  for (const token of tokens) {
    const at = together.indexOf(token, from);
    if (at === -1) return whole();
    from = at + token.length;
    spans.push({ token, start: offset + starts[at]!, end: offset + ends[from - 1]! });
  }
  return spans;
}

const asciiSpans = (piece: string, offset: number): WordSpan[] =>
  Array.from(piece.toLowerCase().matchAll(asciiWord), ({ 0: word, index }) => {
    const token = shortened(word);
    return { token, start: offset + index, end: offset + index + token.length };
  });

const article = /^\u0648?\u0627\u0644(?=[\p{L}\p{M}]{3})/u;

/** Removes the article of an Arabic word (and `and` before it); returns other words unchanged. */
export const withoutArticle = (token: string): string => token.replace(article, "");

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

/** Words that are written as one, with signs between their parts: node.js, wi-fi, U.S.A., don't, 10,000. */
interface Compound {
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
