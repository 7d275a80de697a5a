/**
 * Which of the highest bars carry their figure: up to `most`, highest first, none closer than `gap` bars to a higher one
 * whose figure would touch it.
 */
export function labeledBars(
  values: readonly (number | null)[],
  { most = 3, gap }: { readonly most?: number; readonly gap: number },
): readonly number[] {
  const chosen: number[] = [];
  for (const index of highest(values, most))
    if (chosen.every((other) => Math.abs(other - index) >= gap)) chosen.push(index);
  return chosen;
}

/** Indices of the highest values above 0, highest first, earlier before later. */
export const highest = (values: readonly (number | null)[], most: number): readonly number[] =>
  values
    .flatMap((value, index) => (value !== null && value > 0 ? [{ value, index }] : []))
    .toSorted((one, other) => other.value - one.value || one.index - other.index)
    .slice(0, most)
    .map(({ index }) => index);
