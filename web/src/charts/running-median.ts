/**
 * The median of the `span` values around each place, missing ones left out; `null` where fewer than half of them are
 * known, as at the ends of a short row.
 */
export function runningMedian(values: readonly (number | null)[], span: number): readonly (number | null)[] {
  const reach = Math.floor(span / 2);
  return values.map((_, index) => {
    const around = values.slice(Math.max(0, index - reach), index + reach + 1).filter((value) => value !== null);
    return around.length * 2 < span ? null : medianOf(around);
  });
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - 1]!) / 2; // safe: never called with nothing
}
