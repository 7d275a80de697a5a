import { mostPieces, reelsPerPiece } from "./thresholds.ts";

/** Columns of one value per item. */
export type Basis = readonly (readonly number[])[];

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

export const lengthOf = (values: Float64Array): number => Math.sqrt(dot(values, values));

/** Splines of first degree over the order of time, of which those without a date, at the end, have no part. */
export function timeBasis(size: number, dated: number): Basis {
  const place = (index: number): number => (index < dated ? index / Math.max(1, dated - 1) : 0);
  const pieces = Math.max(1, Math.min(mostPieces, Math.round(dated / reelsPerPiece)));
  const column = (value: (index: number) => number): number[] =>
    Array.from({ length: size }, (_, index) => value(index));
  return [
    column(() => 1),
    column((index) => Number(index >= dated)),
    ...Array.from({ length: pieces }, (_, piece) => column((index) => Math.max(0, place(index) - piece / pieces))),
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
