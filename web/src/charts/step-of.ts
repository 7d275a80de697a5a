/** Where a key leads; `undefined` for keys that are not of a slider. */
export function stepOf(
  key: string,
  from: number,
  { count, row }: { readonly count: number; readonly row: number },
): number | undefined {
  const grid = row > 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: from + 1,
    ArrowLeft: from - 1,
    ArrowUp: grid ? from - row : from + 1,
    ArrowDown: grid ? from + row : from - 1,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  if (next === undefined) return undefined;
  // A column that has no further row stays where it is; a row ends at its ends.
  if (grid && (next < 0 || next >= count)) return from;
  return Math.max(0, Math.min(count - 1, next));
}
