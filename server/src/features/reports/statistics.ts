/** `undefined` of nothing. */
export function average(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value in the middle, or between the two middle ones; `undefined` of nothing. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

/** The values that are known of `items`. */
export function known<Item, Value>(items: readonly Item[], value: (item: Item) => Value | null): Value[] {
  return items.map(value).filter((one) => one !== null);
}

/** Standard errors beyond which chance explains a difference in fewer than one of twenty cases. */
const reliable = 1.96;

/** Whether the ranks of two samples differ by more than chance explains (rank-sum test, ties averaged). */
export function differReliably(one: readonly number[], other: readonly number[]): boolean {
  const [n, m] = [one.length, other.length];
  if (n === 0 || m === 0) return false;
  const all = [...one.map((value) => ({ value, first: true })), ...other.map((value) => ({ value, first: false }))];
  const sorted = all.toSorted((left, right) => left.value - right.value);
  let sum = 0;
  let ties = 0;
  for (let from = 0; from < sorted.length;) {
    let to = from;
    while (to < sorted.length && sorted[to]!.value === sorted[from]!.value) to += 1;
    const rank = (from + 1 + to) / 2;
    sum += rank * sorted.slice(from, to).filter(({ first }) => first).length;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  return variance > 0 && Math.abs(sum - (n * (total + 1)) / 2) / Math.sqrt(variance) > reliable;
}

/** The items by their keys, each group in the order of the items. */
export function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
