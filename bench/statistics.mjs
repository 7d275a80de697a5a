export function median(values) {
  if (values.length === 0) throw new Error("nothing was measured");
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the ratios of what was measured side by side. */
export const medianRatio = (values, others) => median(values.map((value, index) => value / others[index]));

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
