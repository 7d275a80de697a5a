const comparedCharacters = 20_000;
const leastShare = 0.5;

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, comparedCharacters)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu),
  );

/**
 * True if two texts can come from the same speech: each contains at least half of the words of both together, and neither is
 * more than twice as long as the other. Compares the first 20,000 characters.
 */
export function isAlike(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  if (Math.min(one.length, other.length) < longer * leastShare) return false;
  const words = wordsOf(one);
  const others = wordsOf(other);
  let shared = 0;
  for (const word of words) if (others.has(word)) shared += 1;
  return shared > 0 && shared >= (words.size + others.size - shared) * leastShare;
}
