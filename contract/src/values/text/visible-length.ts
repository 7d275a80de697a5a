let letters: Intl.Segmenter | undefined;
const lettersOf = (text: string) => (letters ??= new Intl.Segmenter("und", { granularity: "grapheme" })).segment(text);

/** UTF-16 units that a visible character may have, on average over a text. Flags of regions have 14. */
export const unitsPerCharacter = 16;

/** Segmenting costs memory that grows with the square of the length, and no field for people takes as much. */
const mostSegmented = 10_000;

/**
 * The number of characters that people see in a text: a letter with its marks and an emoji of several parts are one each. What
 * exceeds 10,000 UTF-16 units is counted in units.
 */
export function visibleLength(text: string): number {
  let length = Math.max(0, text.length - mostSegmented);
  for (const _ of lettersOf(text.slice(0, mostSegmented))) length += 1;
  return length;
}

/** True if people see at most `most` characters in a text, and none of them has absurdly many marks. */
export const hasAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= most * unitsPerCharacter && visibleLength(text) <= most);

/** The first `most` visible characters of a text. */
export function cutVisible(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  let count = 0;
  for (const { segment } of lettersOf(text.slice(0, most * unitsPerCharacter))) {
    if (count === most) break;
    count += 1;
    end += segment.length;
  }
  return text.slice(0, end);
}
