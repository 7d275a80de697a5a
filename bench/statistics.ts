export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("nothing was measured");
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of the ratios of paired measurements. */
export const medianRatio = (values: readonly number[], others: readonly number[]): number =>
  median(values.map((value, index) => value / others[index]!));

/** The 99th percentile of the values. */
export const p99 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.99) - 1]!;

/** Numbers from 0 to 1, the same each time (xorshift of 32 bits). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
