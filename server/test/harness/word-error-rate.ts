const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Insertions, deletions and substitutions per word of the reference, ignoring case, accents and punctuation. */
export function wordErrorRate(reference: string, hypothesis: string): number {
  const expected = wordsOf(reference);
  const actual = wordsOf(hypothesis);
  let previous = Array.from({ length: actual.length + 1 }, (_, index) => index);
  for (const [row, word] of expected.entries()) {
    const current = [row + 1];
    for (const [column, other] of actual.entries())
      current.push(
        Math.min(
          (current[column] ?? 0) + 1,
          (previous[column + 1] ?? 0) + 1,
          (previous[column] ?? 0) + (word === other ? 0 : 1),
        ),
      );
    previous = current;
  }
  return (previous.at(-1) ?? 0) / Math.max(1, expected.length);
}
