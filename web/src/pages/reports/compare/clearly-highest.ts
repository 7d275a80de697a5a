import type { CompetitorReport } from "@reelscript/contract";

type Intervals = NonNullable<CompetitorReport["intervals"]>;
export type IntervalName = keyof Intervals;

/** A figure with where its true value is with 95 % confidence. */
interface Estimate {
  readonly value: number;
  readonly interval: Intervals[IntervalName];
}

/** Standard errors that 1 of 20 comparisons passes by chance where 15 are made: five figures of four accounts with the highest. */
const clear = 2.94;
/** Half of a 95 % interval in standard errors. */
const halfInterval = 1.96;

/** Whether two figures of different reels differ by more than chance explains. */
export function clearlyDiffer(one: Estimate, other: Estimate): boolean {
  const errors = [errorOf(one), errorOf(other)];
  if (errors.includes(undefined) || one.value === other.value) return false;
  return Math.abs(Math.log(one.value / other.value)) > clear * Math.hypot(...errors.map(Number));
}

/** The place of the figure that is clearly above all others that are known; `undefined` where there is none. */
export function clearlyHighest(figures: readonly (Estimate | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  const highest = known.toSorted((one, other) => other.value - one.value)[0];
  return highest !== undefined &&
    known.length > 1 &&
    known.every((other) => other === highest || clearlyDiffer(highest, other))
    ? figures.indexOf(highest)
    : undefined;
}

/** Of the logarithm: what is compared are ratios. */
const errorOf = ({ value, interval }: Estimate): number | undefined =>
  interval === undefined || interval.low <= 0 || value <= 0
    ? undefined
    : Math.log(interval.high / interval.low) / 2 / halfInterval;
