interface Point {
  readonly x: number;
  readonly y: number;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** A line through the points, broken where one is missing. */
export function linePath(points: readonly (Point | null)[]): string {
  let drawing = false;
  let path = "";
  for (const point of points) {
    if (point !== null) path += `${drawing ? "L" : "M"}${rounded(point.x)} ${rounded(point.y)}`;
    drawing = point !== null;
  }
  return path;
}

/** The surface between the line and `base`, in as many pieces as the line has. */
export function areaPath(points: readonly (Point | null)[], base: number): string {
  const pieces: Point[][] = [[]];
  for (const point of points)
    if (point === null) pieces.push([]);
    else pieces.at(-1)!.push(point); // safe: begins with one piece

  return pieces
    .filter((piece) => piece.length > 1)
    .map((piece) => {
      const [first, last] = [piece[0]!, piece.at(-1)!]; // safe: two points at least
      return `${linePath(piece)}L${rounded(last.x)} ${base}L${rounded(first.x)} ${base}Z`;
    })
    .join("");
}

/** A bar that stands on `base` with its top corners rounded. */
export function barPath(x: number, width: number, top: number, base: number): string {
  const radius = Math.min(4, width / 2, base - top);
  if (radius <= 0) return "";
  return `M${rounded(x)} ${base}V${rounded(top + radius)}q0-${rounded(radius)} ${rounded(radius)}-${rounded(radius)}h${rounded(width - 2 * radius)}q${rounded(radius)} 0 ${rounded(radius)} ${rounded(radius)}V${base}Z`;
}
