/** A range of positions in a list; the second one is past the end. */
type Range = readonly [from: number, to: number];

/** A stretch that two lists have in common, or one where they differ. */
export interface Difference {
  readonly same: boolean;
  readonly before: Range;
  readonly after: Range;
}

/** Lists that need more comparisons, without their common beginning and end, count as different as a whole. */
const mostComparisons = 250_000;

/** Compares two lists in order; the stretches together are all of both. */
export function differences(before: readonly string[], after: readonly string[]): readonly Difference[] {
  let from = 0;
  let end = before.length;
  let stop = after.length;
  while (from < end && from < stop && before[from] === after[from]) from += 1;
  while (end > from && stop > from && before[end - 1] === after[stop - 1]) {
    end -= 1;
    stop -= 1;
  }
  const stretches: Difference[] = [];
  let one = 0;
  let two = 0;
  const add = (same: boolean, toOne: number, toTwo: number): void => {
    if (toOne === one && toTwo === two) return;
    const last = stretches.at(-1);
    if (last?.same === same)
      stretches[stretches.length - 1] = { same, before: [last.before[0], toOne], after: [last.after[0], toTwo] };
    else stretches.push({ same, before: [one, toOne], after: [two, toTwo] });
    one = toOne;
    two = toTwo;
  };
  add(true, from, from);
  if ((end - from) * (stop - from) <= mostComparisons)
    for (const [index, other] of common(before.slice(from, end), after.slice(from, stop))) {
      add(false, from + index, from + other);
      add(true, from + index + 1, from + other + 1);
    }
  add(false, end, stop);
  add(true, before.length, after.length);
  return stretches;
}

/** Places of a longest common subsequence in both lists. */
function common(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const width = after.length + 1;
  const longest = new Uint16Array((before.length + 1) * width);
  for (let index = before.length - 1; index >= 0; index -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      longest[index * width + other] =
        before[index] === after[other]
          ? longest[(index + 1) * width + other + 1]! + 1
          : Math.max(longest[(index + 1) * width + other]!, longest[index * width + other + 1]!);
  const pairs: (readonly [number, number])[] = [];
  let index = 0;
  let other = 0;
  while (index < before.length && other < after.length)
    if (before[index] === after[other]) {
      pairs.push([index, other]);
      index += 1;
      other += 1;
    } else if (longest[(index + 1) * width + other]! >= longest[index * width + other + 1]!) index += 1;
    else other += 1;
  return pairs;
}
