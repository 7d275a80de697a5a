const diagonalMove = 0;
const nextRowMove = 1;
const nextColumnMove = 2;

/**
 * Dynamic time warping: the path from the first row and column to the last along which the values add up to most.
 * `matrix` has `rows` times `columns` finite values. Returns the column in which each row begins; these never fall.
 */
export function warpedStarts(matrix: Float32Array, rows: number, columns: number): number[] {
  const moves = new Uint8Array(rows * columns);
  let above = new Float64Array(columns + 1).fill(Infinity);
  above[0] = 0;
  for (let row = 0; row < rows; row += 1) {
    const costs = new Float64Array(columns + 1);
    costs[0] = Infinity;
    for (let column = 0; column < columns; column += 1) {
      const diagonal = above[column]!;
      const fromAbove = above[column + 1]!;
      const fromLeft = costs[column]!;
      let move = diagonalMove;
      let cost = diagonal;
      if (fromAbove < cost) [move, cost] = [nextRowMove, fromAbove];
      if (fromLeft < cost) [move, cost] = [nextColumnMove, fromLeft];
      costs[column + 1] = cost - matrix[row * columns + column]!;
      moves[row * columns + column] = move;
    }
    above = costs;
  }
  const starts: number[] = Array.from({ length: rows }, () => 0);
  let row = rows - 1;
  let column = columns - 1;
  while (row >= 0 && column >= 0) {
    starts[row] = column;
    const move = row === 0 ? nextColumnMove : column === 0 ? nextRowMove : moves[row * columns + column];
    if (move !== nextColumnMove) row -= 1;
    if (move !== nextRowMove) column -= 1;
  }
  return starts;
}
