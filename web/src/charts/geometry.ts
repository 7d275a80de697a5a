export interface Point {
  readonly x: number;
  readonly y: number;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

export type Points = readonly (Point | null)[];

/** Splits the points into runs without missing values. */
function stretchesOf(points: Points): readonly Point[][] {
  const stretches: Point[][] = [[]];
  for (const point of points)
    if (point === null) stretches.push([]);
    else stretches.at(-1)!.push(point); // safe: begins with one
  return stretches.filter(({ length }) => length > 0);
}

const pathThrough = (points: readonly Point[]): string =>
  `M${points.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`).join("L")}`;

/** A line through the points, interrupted at missing values. */
export const linePath = (points: Points): string => stretchesOf(points).map(pathThrough).join("");

/** Points without neighbors, which a line wouldn't show. */
export const lonePoints = (points: Points): readonly Point[] =>
  stretchesOf(points)
    .filter(({ length }) => length === 1)
    .flat();

/** The area between the line and `base`, in one piece for each piece of the line. */
export const areaPath = (points: Points, base: number): string =>
  stretchesOf(points)
    .filter(({ length }) => length > 1)
    .map((stretch) => {
      const first = stretch[0]!; // safe: two points at least
      const last = stretch.at(-1)!;
      return `${pathThrough([...stretch, { x: last.x, y: base }, { x: first.x, y: base }])}Z`;
    })
    .join("");

export function barPath(x: number, width: number, top: number, base: number): string {
  const radius = Math.min(4, width / 2, base - top);
  if (radius <= 0) return "";
  return `M${rounded(x)} ${base}V${rounded(top + radius)}q0-${rounded(radius)} ${rounded(radius)}-${rounded(radius)}h${rounded(width - 2 * radius)}q${rounded(radius)} 0 ${rounded(radius)} ${rounded(radius)}V${base}Z`;
}

type Span = readonly [from: number, to: number];

/** Maps `domain` to `range` proportionally; returns the middle of the range if the domain has no extent. */
export function linearScale([low, high]: Span, [start, end]: Span): (value: number) => number {
  if (high === low) return () => (start + end) / 2;
  return (value) => start + ((value - low) / (high - low)) * (end - start);
}

const roundSteps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The desired number of steps of an axis; the result may have one more. */
const wantedSteps = 2;

/** Round values from 0 to the first at or above `largest`, in equal steps. For counts, the steps are whole numbers. */
export function ticksOf(largest: number, { whole = false } = {}): readonly number[] {
  const top = Number.isFinite(largest) && largest > 0 ? largest : 1;
  const rough = top / wantedSteps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = roundSteps.find((factor) => factor * power >= rough * (1 - 1e-9))! * power; // safe: 10 is always enough
  const step = whole ? Math.max(1, Math.ceil(round)) : round;
  const count = Math.ceil(top / step - 1e-9);
  // Multiplies instead of adding: 0.1 + 0.2 isn't a round number.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/**
 * Every n-th of `count` positions, starting with the first, so that labels of `label` pixels don't touch within `width` pixels.
 */
export function spacedIndices(count: number, width: number, label: number): readonly number[] {
  if (count === 0) return [];
  const fitting = Math.max(1, Math.floor(width / label));
  const every = Math.ceil(count / fitting);
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}

/** Which of the three highest bars show their figure: none that is closer than `gap` bars to a higher one that does. */
export function labeledBars(values: readonly (number | null)[], { gap }: { readonly gap: number }): readonly number[] {
  const indices: number[] = [];
  for (const index of highest(values, 3))
    if (indices.every((other) => Math.abs(other - index) >= gap)) indices.push(index);
  return indices;
}

/** Indices of the highest values above 0 in descending order; equal values stay in their order. */
export const highest = (values: readonly (number | null)[], most: number): readonly number[] =>
  values
    .flatMap((value, index) => (value !== null && value > 0 ? [{ value, index }] : []))
    .toSorted((one, other) => other.value - one.value || one.index - other.index)
    .slice(0, most)
    .map(({ index }) => index);

/** The next item for a key; `undefined` for keys that don't move a slider. */
export function stepOf(
  key: string,
  from: number,
  { count, row }: { readonly count: number; readonly row: number },
): number | undefined {
  const grid = row > 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: from + 1,
    ArrowLeft: from - 1,
    ArrowUp: grid ? from - row : from + 1,
    ArrowDown: grid ? from + row : from - 1,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  if (next === undefined) return undefined;
  // Moving down from a column's last row stays there; so does moving past the end of a row.
  if (grid && (next < 0 || next >= count)) return from;
  return Math.max(0, Math.min(count - 1, next));
}

/**
 * The median of the `span` values around each position, ignoring missing ones; `null` if fewer than half of them are known, as at
 * the ends of a short row.
 */
export function runningMedian(values: readonly (number | null)[], span: number): readonly (number | null)[] {
  const reach = Math.floor(span / 2);
  return values.map((_, index) => {
    const around = values.slice(Math.max(0, index - reach), index + reach + 1).filter((value) => value !== null);
    return around.length * 2 < span ? null : medianOf(around);
  });
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - 1]!) / 2; // safe: never called with nothing
}

/** Attributes of a drawing in its size on the screen, which shrinks on narrower paper. */
export const drawingSize = (width: number, height: number) => ({ width, height, viewBox: `0 0 ${width} ${height}` });
