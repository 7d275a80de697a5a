/** A letter with all its marks, or an emoji of several parts, is shorter than this. */
const longestLetter = 64;

/**
 * The beginning of a text, at most `most` characters (UTF-16 units) long. Never ends in the middle of what a reader takes
 * for one character, unless somebody piled up so many marks that it is none.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Segmenting a whole text costs memory by its square, so only the surroundings of the end are looked at.
  const from = Math.max(0, most - longestLetter);
  const around = text.slice(from, most + longestLetter);
  const letter = new Intl.Segmenter("und", { granularity: "grapheme" }).segment(around).containing(most - from);
  const start = from + (letter?.index ?? 0);
  if (start > from || from === 0) return text.slice(0, start);
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}
