const reachOnEachSide = 3;

/** Replaces each value of a row by the median of seven, mirrored at the ends. Shorter rows stay as they are. */
export function medianFilter(row: Float32Array): Float32Array {
  const { length } = row;
  if (length <= reachOnEachSide) return row;
  const padded = new Float32Array(length + 2 * reachOnEachSide);
  padded.set(row, reachOnEachSide);
  for (let offset = 1; offset <= reachOnEachSide; offset += 1) {
    padded[reachOnEachSide - offset] = row[offset]!;
    padded[reachOnEachSide + length - 1 + offset] = row[length - 1 - offset]!;
  }
  const filtered = new Float32Array(length);
  const sorted = padded.slice(0, 2 * reachOnEachSide + 1).sort();
  filtered[0] = sorted[reachOnEachSide]!;
  for (let at = 1; at < length; at += 1) {
    replace(sorted, padded[at - 1]!, padded[at + 2 * reachOnEachSide]!);
    filtered[at] = sorted[reachOnEachSide]!;
  }
  return filtered;
}

/** Neighbors are alike, so that one value moves a place or two where sorting all again compares a dozen times. */
function replace(sorted: Float32Array, old: number, next: number): void {
  const last = sorted.length - 1;
  let place = 0;
  while (place < last && sorted[place] !== old) place += 1;
  for (; place < last && sorted[place + 1]! < next; place += 1) sorted[place] = sorted[place + 1]!;
  for (; place > 0 && sorted[place - 1]! > next; place -= 1) sorted[place] = sorted[place - 1]!;
  sorted[place] = next;
}
