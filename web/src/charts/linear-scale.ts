type Span = readonly [from: number, to: number];

/** Maps `domain` to `range` in proportion; the middle of the range when the domain has no extent. */
export function linearScale([low, high]: Span, [start, end]: Span): (value: number) => number {
  if (high === low) return () => (start + end) / 2;
  return (value) => start + ((value - low) / (high - low)) * (end - start);
}
