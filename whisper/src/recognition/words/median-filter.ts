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
  const sorted = new Float32Array(2 * reachOnEachSide + 1);
  for (let at = 0; at < length; at += 1) {
    for (let taken = 0; taken < sorted.length; taken += 1) {
      const value = padded[at + taken]!;
      let place = taken;
      for (; place > 0 && sorted[place - 1]! > value; place -= 1) sorted[place] = sorted[place - 1]!;
      sorted[place] = value;
    }
    filtered[at] = sorted[reachOnEachSide]!;
  }
  return filtered;
}
