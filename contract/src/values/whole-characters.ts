/** The beginning of a text, at most `length` UTF-16 units long: never half of a surrogate pair. */
export function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}

/** Characters that readers see as one, with all their marks or as an emoji of several parts, are shorter than this. */
const longestLetter = 64;
/** Two of them are a flag, so where a row of flags begins decides where each one does. */
const isRegionalIndicator = (code: number | undefined): boolean =>
  code !== undefined && code >= 0x1f1e6 && code <= 0x1f1ff;
const longestRow = 4_096;

let letters: Intl.Segmenter | undefined;

/**
 * The beginning of a text for people, at most `length` UTF-16 units long: it ends between what readers take for characters,
 * unless somebody piled up so many marks that one of them is none. However long the text is, only the surroundings of the
 * end are looked at, because segmenting costs memory by the square of a text.
 */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const { from, isBetween } = lookingFrom(text, length);
  letters ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  const letter = letters.segment(text.slice(from, length + longestLetter)).containing(length - from);
  const end = from + (letter?.index ?? 0);
  return end > from || isBetween ? text.slice(0, end) : wholeCharacters(text, length);
}

/** A place before the end to look from, and whether a character begins there for certain. */
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
/** A short one is an abbreviation or a call ("Mr.", "Hi."), and continues. */
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
