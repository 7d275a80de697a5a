import { fewestForMean, halfInterval } from "./thresholds.ts";

/** `undefined` for an empty list. */
export function average(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The median; `undefined` for an empty list. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

/** 95 % confidence interval of the median, whatever the distribution; `undefined` for too few values. */
export function medianInterval(values: readonly number[]): Interval | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const first = Math.floor((sorted.length - halfInterval * Math.sqrt(sorted.length)) / 2);
  const low = sorted[first - 1];
  const high = sorted[sorted.length - first];
  return first < 1 || low === undefined || high === undefined ? undefined : { low, high };
}

/** 95 % confidence interval of the mean; `undefined` for too few values. */
export function meanInterval(values: readonly number[]): Interval | undefined {
  const mean = average(values);
  if (mean === undefined || values.length < fewestForMean) return undefined;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const reach = halfInterval * Math.sqrt(variance / values.length);
  return { low: Math.max(0, mean - reach), high: mean + reach };
}

/** The known values of `items`. */
export function knownValues<Item, Value>(items: readonly Item[], value: (item: Item) => Value | null): Value[] {
  return items.map(value).filter((one) => one !== null);
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
