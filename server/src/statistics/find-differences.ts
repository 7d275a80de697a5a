import { grouped } from "./averages.ts";
import {
  confidence,
  farthest,
  fewestPeriods,
  itemsPerPeriod,
  mostPeriods,
  mostPieces,
  mostShuffled,
  mostShuffles,
  reelsPerPiece,
} from "./thresholds.ts";

/** Which items are in a group: 1 in it, 0 not in it, -1 not known. */
export type Membership = readonly (-1 | 0 | 1)[];

/** A group whose items may differ from the others. */
interface Candidate {
  readonly isIn: Membership;
  /** Up to 1: a group of a kind that seldom matters needs a clearer difference. */
  readonly weight: number;
}

/** The explained values, in the order of time, and the groups that may differ in them. */
export interface Outcome {
  /** Logarithms: a difference of them is a ratio. */
  readonly values: readonly number[];
  /** Known causes of differences, such as time, which are removed first. */
  readonly explained: Basis;
  readonly candidates: readonly Candidate[];
}

/** How much higher the logarithms of a group are. */
export interface Difference {
  readonly by: number;
  /** Standard error of `by`. */
  readonly error: number;
  /** Probability that chance alone shows such a clear difference in any group of any outcome. */
  readonly chance: number;
  readonly clear: boolean;
  /** The same difference in each of a few periods of as many items, in the order of time. */
  readonly periods: readonly Period[];
}

/** A difference within a period; its information is what it weighs in the whole. */
export interface Period {
  readonly by: number;
  readonly information: number;
}

/** Minimum share of the variance that remains, even if a group explains all of it. */
const least = 1e-6;

/**
 * Compares groups with the other items by shuffling the residuals of time (Freedman and Lane), and corrects for the number of
 * comparisons by the largest weighted statistic of each shuffle (Westfall and Young). Autocorrelated neighbors count for fewer.
 * The same values give the same result; a group that can't be distinguished gets none.
 */
export function findDifferences(outcomes: readonly Outcome[]): (Difference | undefined)[][] {
  const fits = outcomes.map(fitOf);
  const size = Math.max(1, ...outcomes.map(({ values }) => values.length));
  const shuffles = Math.min(mostShuffles, Math.ceil(mostShuffled / size));
  const largest = new Float64Array(shuffles);
  for (const [index, fit] of fits.entries()) shuffle(fit, index + 1, largest);
  const ranked = largest.toSorted();
  const critical = ranked[Math.ceil(confidence * (shuffles + 1)) - 1] ?? 0;
  return fits.map(({ contrasts }) =>
    contrasts.map((contrast) => {
      if (contrast === undefined) return undefined;
      const { by, error, weight, periods } = contrast;
      const clearness = (weight * Math.abs(by)) / error;
      const asClear = largest.reduce((sum, one) => sum + Number(one >= clearness), 0);
      return { by, error, periods, chance: (asClear + 1) / (shuffles + 1), clear: clearness > critical };
    }),
  );
}

/** How much of a difference remains where other groups explain what they can; `undefined` if they explain the group itself. */
export function differenceBeside(
  { values, explained }: Pick<Outcome, "values" | "explained">,
  isIn: Membership,
  others: readonly Membership[],
): number | undefined {
  const explaining = others.map((other) => other.map((member) => (member === -1 ? 1 / 2 : member)));
  const { contrasts } = fitOf({ values, explained: [...explained, ...explaining], candidates: [{ isIn, weight: 1 }] });
  return contrasts[0]?.by;
}

interface Contrast {
  /** The group against the rest, without the explained part; of length 1. */
  readonly direction: Float64Array;
  readonly by: number;
  readonly error: number;
  readonly weight: number;
  readonly periods: readonly Period[];
}

interface Fit {
  readonly residuals: Float64Array;
  readonly contrasts: readonly (Contrast | undefined)[];
}

function fitOf({ values, explained, candidates }: Outcome): Fit {
  const upright = uprightBasis(explained);
  const residuals = residualsOf(clipped(residualsOf(values, upright)), upright);
  return {
    residuals,
    contrasts: candidates.map((candidate) =>
      candidate.isIn.includes(-1)
        ? contrastOf(residuals, uprightBasis(explained, candidate.isIn), candidate)
        : contrastOf(residuals, upright, candidate),
    ),
  };
}

function contrastOf(
  residuals: Float64Array,
  upright: readonly Float64Array[],
  { isIn: group, weight }: Candidate,
): Contrast | undefined {
  const size = group.filter((member) => member !== -1).length;
  const direction = residualsOf(group, upright, group);
  const length = lengthOf(direction);
  const freedom = size - upright.length - 1;
  // A direction this short is a rounding error: time explains the whole group.
  if (freedom < 1 || length < 1e-3 * Math.sqrt(size)) return undefined;
  for (let index = 0; index < direction.length; index += 1) direction[index]! /= length;
  const along = dot(direction, residuals);
  const rest = residuals.map((value, index) => (group[index] === -1 ? 0 : value - along * direction[index]!));
  const total = dot(residuals, residuals);
  if (total < 1e-12 * size) return undefined;
  const variance =
    (Math.max(dot(rest, rest), least * total) / freedom) * alikeInTime(direction, rest) * widerInside(rest, group);
  return {
    direction,
    by: along / length,
    error: Math.sqrt(variance) / length,
    weight,
    periods: periodsOf(direction, residuals, group, length),
  };
}

/** The difference in each period of about as many known items. */
function periodsOf(
  direction: Float64Array,
  residuals: Float64Array,
  group: Membership,
  length: number,
): readonly Period[] {
  const positions = group.flatMap((member, index) => (member === -1 ? [] : [index]));
  const count = Math.max(fewestPeriods, Math.min(mostPeriods, Math.floor(positions.length / itemsPerPeriod)));
  return Array.from({ length: count }, (_, period) => {
    let along = 0;
    let share = 0;
    const end = Math.floor(((period + 1) * positions.length) / count);
    for (const position of positions.slice(Math.floor((period * positions.length) / count), end)) {
      along += direction[position]! * residuals[position]!;
      share += direction[position]! ** 2;
    }
    return { by: share > 0 ? along / share / length : 0, information: share * length ** 2 };
  });
}

/** Factor by which autocorrelation in time increases the variance, in the group and in the rest. */
function alikeInTime(direction: Float64Array, rest: Float64Array): number {
  const shared = Math.min(0.95, likeness(direction) * likeness(rest));
  return shared > 0 ? (1 + shared) / (1 - shared) : 1;
}

const likeness = (values: Float64Array): number => dot(values.subarray(1), values) / dot(values, values);

/** Factor by which the variance grows when the smaller side spreads wider than chance explains (Welch). */
function widerInside(rest: Float64Array, group: Membership): number {
  const [one, other] = [1, 0].map((side) => {
    const inside = rest.filter((_, index) => group[index] === side);
    return { size: inside.length, variance: dot(inside, inside) / (inside.length - 1) };
  }) as [Side, Side];
  const usual = 1.5 * Math.sqrt(2 / (one.size - 1) + 2 / (other.size - 1));
  if (one.variance === other.variance || Math.abs(Math.log(one.variance / other.variance)) < usual) return 1;
  const pooled = ((one.size - 1) * one.variance + (other.size - 1) * other.variance) / (one.size + other.size - 2);
  return Math.max(
    1,
    (one.variance / one.size + other.variance / other.size) / (pooled / one.size + pooled / other.size),
  );
}

interface Side {
  readonly size: number;
  readonly variance: number;
}

/** Keeps in `largest` the clearest difference that each shuffle shows. */
function shuffle({ residuals, contrasts }: Fit, seed: number, largest: Float64Array): void {
  const random = randomOf(seed);
  const directions = contrasts.flatMap((contrast) =>
    contrast === undefined ? [] : [{ direction: contrast.direction, weight: contrast.weight }],
  );
  if (directions.length === 0) return;
  const byWeight = [...grouped(directions, ({ weight }) => weight)].map(([weight, some]) => ({
    weight,
    fours: foursOf(some.map(({ direction }) => direction)),
  }));
  const shuffled = residuals.slice();
  const total = dot(residuals, residuals);
  const freedom = residuals.length - 2;
  for (let round = 0; round < largest.length; round += 1) {
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      const lastValue = shuffled[last]!;
      shuffled[last] = shuffled[other]!;
      shuffled[other] = lastValue;
    }
    for (const { weight, fours } of byWeight) {
      const most = farthestAlong(fours, shuffled);
      const clearness = (weight * most) / Math.sqrt(Math.max(total - most * most, least * total) / freedom);
      if (clearness > largest[round]!) largest[round] = clearness;
    }
  }
}

type FourDirections = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

/** The last four are filled up with directions of length 0. */
function foursOf(directions: readonly Float64Array[]): readonly FourDirections[] {
  const none = new Float64Array(directions[0]?.length ?? 0);
  return Array.from({ length: Math.ceil(directions.length / 4) }, (_, group) => {
    const [one = none, two = none, three = none, last = none] = directions.slice(4 * group, 4 * group + 4);
    return [one, two, three, last];
  });
}

/** How far the values lie along any direction. Four sums grow side by side, because each addition waits for the one before it in the same sum. */
function farthestAlong(fours: readonly FourDirections[], values: Float64Array): number {
  let most = 0;
  for (const [one, two, three, last] of fours) {
    let alongOne = 0;
    let alongTwo = 0;
    let alongThree = 0;
    let alongLast = 0;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index]!;
      alongOne += one[index]! * value;
      alongTwo += two[index]! * value;
      alongThree += three[index]! * value;
      alongLast += last[index]! * value;
    }
    most = Math.max(most, Math.abs(alongOne), Math.abs(alongTwo), Math.abs(alongThree), Math.abs(alongLast));
  }
  return most;
}

function clipped(values: Float64Array): Float64Array {
  const sorted = values.toSorted();
  const middle = sorted[sorted.length >> 1] ?? 0;
  const distances = values.map((value) => Math.abs(value - middle)).toSorted();
  const reach = farthest * 1.4826 * (distances[distances.length >> 1] ?? 0);
  // If most values are equal, there is no typical distance.
  return reach === 0 ? values : values.map((value) => Math.max(middle - reach, Math.min(middle + reach, value)));
}

/** Numbers from 0 to 1 that look like chance, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Columns of one value per item. */
type Basis = readonly (readonly number[])[];

/** An orthonormal basis of the same space over the items that are not -1 in `members`; 0 for the others. */
export function uprightBasis(basis: Basis, members?: readonly number[]): readonly Float64Array[] {
  const upright: Float64Array[] = [];
  for (const column of basis) {
    const rest = knownValues(column, members);
    const before = lengthOf(rest);
    // Twice, because rounding leaves some of the removed part the first time.
    takeOut(upright, rest);
    takeOut(upright, rest);
    const length = lengthOf(rest);
    if (length > 1e-9 * before) upright.push(rest.map((value) => value / length));
  }
  return upright;
}

/** Residuals of least squares on an upright basis. */
export function residualsOf(
  values: readonly number[] | Float64Array,
  upright: readonly Float64Array[],
  members?: readonly number[],
): Float64Array {
  const residuals = knownValues(values, members);
  takeOut(upright, residuals);
  takeOut(upright, residuals);
  return residuals;
}

/** Uses the shorter of the two. */
export function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += one[index]! * other[index]!;
  return sum;
}

const lengthOf = (values: Float64Array): number => Math.sqrt(dot(values, values));

/** Splines of first degree over the order of time, of which those without a date, at the end, have no part. */
export function timeBasis(size: number, dated: number): Basis {
  const positionOf = (index: number): number => (index < dated ? index / Math.max(1, dated - 1) : 0);
  const pieces = Math.max(1, Math.min(mostPieces, Math.round(dated / reelsPerPiece)));
  const column = (value: (index: number) => number): number[] =>
    Array.from({ length: size }, (_, index) => value(index));
  return [
    column(() => 1),
    column((index) => Number(index >= dated)),
    ...Array.from({ length: pieces }, (_, piece) => column((index) => Math.max(0, positionOf(index) - piece / pieces))),
  ];
}

function knownValues(values: readonly number[] | Float64Array, members?: readonly number[]): Float64Array {
  const usedValues = new Float64Array(values.length);
  for (let index = 0; index < usedValues.length; index += 1)
    usedValues[index] = members?.[index] === -1 ? 0 : values[index]!;
  return usedValues;
}

function takeOut(upright: readonly Float64Array[], from: Float64Array): void {
  for (const direction of upright) {
    const along = dot(direction, from);
    for (let index = 0; index < from.length; index += 1) from[index]! -= along * direction[index]!;
  }
}
