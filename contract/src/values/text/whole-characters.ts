/** The beginning of a text, at most `length` UTF-16 units long: never half of a surrogate pair. */
export function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}

/** Visible characters, including all their marks and emoji of several parts, are shorter than this. */
const longestLetter = 64;
/** Two of them form a flag, so the beginning of a row of flags decides where each one begins. */
const isRegionalIndicator = (code: number | undefined): boolean =>
  code !== undefined && code >= 0x1f1e6 && code <= 0x1f1ff;
const longestRow = 4_096;

let letters: Intl.Segmenter | undefined;

/**
 * The beginning of a text for people, at most `length` UTF-16 units long. It ends between visible characters, unless one has so
 * many marks that it is longer than any real one. Only the surroundings of the end are read, because segmenting a whole text
 * costs memory that grows with the square of its length.
 */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const { from, isBetween } = lookingFrom(text, length);
  letters ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  const letter = letters.segment(text.slice(from, length + longestLetter)).containing(length - from);
  const end = from + (letter?.index ?? 0);
  return end > from || isBetween ? text.slice(0, end) : wholeCharacters(text, length);
}

/** A position before the end to start from, and whether a character certainly begins there. */
function lookingFrom(text: string, end: number): { readonly from: number; readonly isBetween: boolean } {
  const earliest = Math.max(0, end - longestLetter);
  for (let from = end - 1; from > earliest; from -= 1) {
    const code = text.charCodeAt(from);
    if (code >= 0x20 && code < 0x7f) return { from, isBetween: true };
  }
  let from = wholeCharacters(text, earliest).length;
  while (from > earliest - longestRow && isRegionalIndicator(text.codePointAt(from - 2))) from -= 2;
  return { from, isBetween: from === 0 };
}

const longestBeginning = 72;
/** A short one is an abbreviation or a call ("Mr.", "Hi."), so the sentence continues. */
const sentence = /^.{11,}?[.!?…।؟。](?=["'”’»)]*(\s|$))/su;

/** The first sentence of a text, or its first words, without the full stop. */
export function beginningOf(text: string): string {
  const beginning = cutText(text, 4 * longestBeginning)
    .trim()
    .replace(/\s+/g, " ");
  const first = (sentence.exec(beginning)?.[0] ?? beginning).replace(/(?<![.।…])[.।…]+$/u, "");
  if (first.length <= longestBeginning) return first;
  const space = first.slice(0, longestBeginning + 1).lastIndexOf(" ");
  const cut = cutText(first, space > longestBeginning / 2 ? space : longestBeginning);
  return `${cut.replace(/(?<![\s,;:–-])[\s,;:–-]+$/u, "")}…`;
}
