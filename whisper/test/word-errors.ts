/** Text without case and punctuation. */
function words(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim()
    .split(" ")
    .filter((word) => word !== "");
}

function distance(reference: readonly string[], text: readonly string[]): number {
  let previous = Array.from({ length: text.length + 1 }, (_, index) => index);
  reference.forEach((expected, row) => {
    const current = [row + 1];
    text.forEach((got, column) => {
      const replaced = (previous[column] ?? 0) + (got === expected ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    });
    previous = current;
  });
  return previous.at(-1) ?? 0;
}

/** Share of the reference's words that are wrong, missing or too many; case and punctuation do not count. */
export function wordErrorRate(reference: string, text: string): number {
  const expected = words(reference);
  return distance(expected, words(text)) / expected.length;
}

/** The same by characters, without spaces. */
export function characterErrorRate(reference: string, text: string): number {
  const expected = Array.from(words(reference).join(""));
  return distance(expected, Array.from(words(text).join(""))) / expected.length;
}
