/** Errors and lengths in words and in characters, to be summed over clips. */
export interface TextErrors {
  readonly words: number;
  readonly wordErrors: number;
  readonly letters: number;
  readonly letterErrors: number;
  /** Most words of the reference in a row that have no counterpart in the transcript. */
  readonly longestMissing: number;
}

/** Arabic is written with vowel signs and endings of case or without: the sign of -an, with its alef, and all other signs. */
const arabicSigns = /\u{64b}\u{627}(?!\p{L})|\u{627}\u{64b}|[\u{640}\u{64b}-\u{65f}\u{670}]/gu;

/** Case, accents' spelling form, Arabic vowel signs and punctuation do not count; vowel signs of Indic scripts do. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(arabicSigns, "")
    .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];

/** By code point: a wrong vowel sign is an error of its own. */
const lettersOf = (words: readonly string[]): readonly string[] => Array.from(words.join(" "));

/** Compares a transcript with the reference. */
export function textErrorsOf(reference: string, transcript: string): TextErrors {
  const expected = wordsOf(reference);
  const actual = wordsOf(transcript);
  const letters = lettersOf(expected);
  const table = distances(expected, actual);
  return {
    words: expected.length,
    wordErrors: table.at(-1)!.at(-1)!,
    letters: letters.length,
    letterErrors: editDistance(letters, lettersOf(actual)),
    longestMissing: longestDeletion(expected, actual, table),
  };
}

export const sumOfErrors = (errors: readonly TextErrors[]): TextErrors =>
  errors.reduce(
    (sum, one) => ({
      words: sum.words + one.words,
      wordErrors: sum.wordErrors + one.wordErrors,
      letters: sum.letters + one.letters,
      letterErrors: sum.letterErrors + one.letterErrors,
      longestMissing: Math.max(sum.longestMissing, one.longestMissing),
    }),
    { words: 0, wordErrors: 0, letters: 0, letterErrors: 0, longestMissing: 0 },
  );

/** Insertions, deletions and substitutions that turn one list into another. */
function editDistance(expected: readonly string[], actual: readonly string[]): number {
  let row = firstRow(actual);
  for (const one of expected) row = nextRow(row, one, actual);
  return row.at(-1)!;
}

/** One row more than there are expected words: `[i][j]` is the distance of the first `i` to the first `j`. */
function distances(expected: readonly string[], actual: readonly string[]): readonly Uint32Array[] {
  const table = [firstRow(actual)];
  for (const one of expected) table.push(nextRow(table.at(-1)!, one, actual));
  return table;
}

const firstRow = (actual: readonly string[]): Uint32Array =>
  Uint32Array.from({ length: actual.length + 1 }, (_, index) => index);

function nextRow(previous: Uint32Array, one: string, actual: readonly string[]): Uint32Array {
  const row = new Uint32Array(actual.length + 1);
  row[0] = previous[0]! + 1;
  for (const [column, other] of actual.entries())
    row[column + 1] = Math.min(
      row[column]! + 1,
      previous[column + 1]! + 1,
      previous[column]! + (one === other ? 0 : 1),
    );
  return row;
}

/**
 * Walks a best alignment back from its end. Where several are equally good, a run of missing words continues as long as it
 * can: a word such as "the", heard elsewhere, must not hide that a sentence around it is gone.
 */
function longestDeletion(
  expected: readonly string[],
  actual: readonly string[],
  table: readonly Uint32Array[],
): number {
  let longest = 0;
  let run = 0;
  let row = expected.length;
  let column = actual.length;
  while (row > 0) {
    const here = table[row]![column]!;
    const isDeletion = here === table[row - 1]![column]! + 1;
    const isPair =
      column > 0 && here === table[row - 1]![column - 1]! + (expected[row - 1] === actual[column - 1] ? 0 : 1);
    if (isDeletion && (run > 0 || !isPair)) {
      run += 1;
      longest = Math.max(longest, run);
      row -= 1;
      continue;
    }
    run = 0;
    if (isPair) row -= 1;
    column -= 1;
  }
  return longest;
}
