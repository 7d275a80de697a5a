const plain = (text: string): string => text.trim().normalize("NFC").toLowerCase();

/** Compares the typed text with the wanted one, ignoring case. */
export const isSameConfirmation = (typed: string, phrase: string): boolean =>
  phrase !== "" && plain(typed) === plain(phrase);

/** The word that was probably meant, which differs in at most so many letters; `undefined` if there is none. */
export function nearestWord(
  given: string,
  words: readonly string[],
  most: number = Math.max(1, Math.floor(given.length / 3)),
): string | undefined {
  const input = given.toLowerCase();
  const [nearest] = words
    .filter((word) => Math.abs(word.length - input.length) <= most)
    .map((word) => ({ word, distance: distanceOf(input, word.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((left, right) => left.distance - right.distance);
  return nearest?.word;
}

/** A question with the word that was probably meant, to follow an error; empty if there is none. */
export function askForNearest(given: string, words: readonly string[]): string {
  const nearest = nearestWord(given, words);
  return nearest === undefined ? "" : `. Did you mean ${nearest}?`;
}

/** Number of missing, extra, wrong or swapped letters. */
function distanceOf(left: string, right: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped && column > 1 ? beforeLast[column - 2]! + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}
