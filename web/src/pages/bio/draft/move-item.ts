/** The list with the item at `from` standing at `to`. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)];
}

interface Span {
  readonly top: number;
  readonly height: number;
}

/** Where the item at `from` stands after it was pulled by `distance`: past the middle of another it takes its place. */
export function placeAt(spans: readonly Span[], from: number, distance: number): number {
  const own = spans[from];
  if (own === undefined) return from;
  const [top, bottom] = [own.top + distance, own.top + own.height + distance];
  let place = from;
  for (const [index, { top: start, height }] of spans.entries()) {
    const middle = start + height / 2;
    if (index > from && bottom > middle) place = index;
    if (index < from && top < middle) return index;
  }
  return place;
}
