/** Rises with every change of what a text's tokens are: stored texts are then indexed anew at the next start. */
export const tokenVersion = 1;

/*
 * The database never splits text itself: its rules differ between engines, versions and locales. It stores and compares
 * the tokens made here, which hold letters, marks and digits only.
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

const invisible = /\p{Cf}|\p{Me}|\p{Variation_Selector}|\u0640/gu;
const arabicVowelSigns = /[\u064B-\u065F\u0670\u06D6-\u06ED\u08D3-\u08FF]/gu;
const apostropheInside = /(?<=\p{L})['\u2019\u02BC\uFF07](?=\p{L})/gu;
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const unspaced =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Thai}\p{Script_Extensions=Khmer}\p{Script_Extensions=Lao}\p{Script_Extensions=Myanmar}]/u;
const beyondAscii = /[^\p{ASCII}]/u;

const longestWord = 60;

const digitValue = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 128) return digit;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
};

/** Brings spellings that a reader takes for the same to one form: case, accents, vowel signs, digits, invisible marks. */
function fold(text: string): string {
  const plain = text.normalize("NFKC").replace(apostropheInside, " ").replace(invisible, "").toLowerCase();
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
    .replace(/\p{Nd}/gu, digitValue);
}

const shortened = (token: string): string =>
  token.length <= longestWord ? token : Array.from(token).slice(0, longestWord).join("");

let segmenter: Intl.Segmenter | undefined;

/** The words of a text in their order, folded. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  if (!unspaced.test(folded)) return (folded.match(word) ?? []).map(shortened);
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  return Array.from(segmenter.segment(folded))
    .filter((part) => part.isWordLike)
    .flatMap((part) => part.segment.match(word) ?? [])
    .map(shortened);
}

const article = /^\u0648?\u0627\u0644(?=[\p{L}\p{M}]{3})/u;

/** An Arabic word without its article (and the `and` before it); others as they are. */
export const withoutArticle = (token: string): string => token.replace(article, "");
