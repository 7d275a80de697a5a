/** Case, accents' spelling form and punctuation do not count; vowel signs of Indic scripts do. */
const wordsOf = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];

/** Insertions, deletions and substitutions that turn one list into another. */
export function editDistance(expected, actual) {
  let previous = Uint32Array.from({ length: actual.length + 1 }, (_, index) => index);
  for (const [row, one] of expected.entries()) {
    const current = new Uint32Array(actual.length + 1);
    current[0] = row + 1;
    for (const [column, other] of actual.entries())
      current[column + 1] = Math.min(
        current[column] + 1,
        previous[column + 1] + 1,
        previous[column] + (one === other ? 0 : 1),
      );
    previous = current;
  }
  return previous[actual.length];
}

/** Errors and lengths in words and characters, to be summed over clips. */
export function errorsOf(reference, heard) {
  const expected = wordsOf(reference);
  const actual = wordsOf(heard);
  const letters = [...expected.join(" ")];
  return {
    words: expected.length,
    wordErrors: editDistance(expected, actual),
    letters: letters.length,
    letterErrors: editDistance(letters, [...actual.join(" ")]),
  };
}

export const summed = (errors) =>
  errors.reduce(
    (sum, one) => ({
      words: sum.words + one.words,
      wordErrors: sum.wordErrors + one.wordErrors,
      letters: sum.letters + one.letters,
      letterErrors: sum.letterErrors + one.letterErrors,
    }),
    { words: 0, wordErrors: 0, letters: 0, letterErrors: 0 },
  );
