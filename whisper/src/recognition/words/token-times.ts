const secondsPerAttentionFrame = 0.02;

/** Attention to the audio, while a text was written, of the heads that follow the speech. */
export interface Alignment {
  /** The share of each frame for each token that was fed, row by row, one array per head. */
  readonly heads: readonly Float32Array[];
  readonly tokens: number;
  /** Frames of 0.02 s. */
  readonly frames: number;
}

/**
 * When each text token begins, in seconds of the window, and when the last one ends: one more than there are text tokens.
 * `promptTokens` were fed before the text and one after it. `null` when the attention isn't finite or doesn't fit.
 * The recipe is that of the reference implementation: normalized over the tokens, smoothed, averaged over the heads.
 */
export function tokenTimes(alignment: Alignment, promptTokens: number, seconds: number): number[] | null {
  const columns = Math.min(alignment.frames, Math.round(seconds / secondsPerAttentionFrame));
  // Each row predicts the next token, so that the last token of the prompt attends for the first of the text.
  const firstRow = promptTokens - 1;
  const rows = alignment.tokens - 1 - firstRow;
  if (columns < 1 || rows < 2 || alignment.heads.length === 0) return null;
  const mean = new Float32Array(rows * columns);
  for (const head of alignment.heads) {
    const normalized = normalizedOverTokens(head, alignment, columns);
    for (let row = 0; row < rows; row += 1) {
      const from = (firstRow + row) * columns;
      const smooth = medianFilter(normalized.subarray(from, from + columns));
      for (let column = 0; column < columns; column += 1)
        mean[row * columns + column]! += smooth[column]! / alignment.heads.length;
    }
  }
  if (!mean.every(Number.isFinite)) return null;
  return warpedStarts(mean, rows, columns).map((column) => column * secondsPerAttentionFrame);
}

/** Rows are the outer loop because that is the order in memory. */
function normalizedOverTokens(head: Float32Array, { tokens, frames }: Alignment, columns: number): Float32Array {
  const means = new Float64Array(columns);
  const deviations = new Float64Array(columns);
  for (let token = 0; token < tokens; token += 1)
    for (let column = 0; column < columns; column += 1) means[column]! += head[token * frames + column]! / tokens;
  for (let token = 0; token < tokens; token += 1)
    for (let column = 0; column < columns; column += 1)
      deviations[column]! += (head[token * frames + column]! - means[column]!) ** 2 / tokens;
  const normalized = new Float32Array(tokens * columns);
  for (let column = 0; column < columns; column += 1) deviations[column] = Math.sqrt(deviations[column]!) || 1;
  for (let token = 0; token < tokens; token += 1)
    for (let column = 0; column < columns; column += 1)
      normalized[token * columns + column] = (head[token * frames + column]! - means[column]!) / deviations[column]!;
  return normalized;
}

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

/** Neighbors are alike, so that one value moves by an index or two where sorting all again compares a dozen times. */
function replace(sorted: Float32Array, old: number, next: number): void {
  const last = sorted.length - 1;
  let index = 0;
  while (index < last && sorted[index] !== old) index += 1;
  for (; index < last && sorted[index + 1]! < next; index += 1) sorted[index] = sorted[index + 1]!;
  for (; index > 0 && sorted[index - 1]! > next; index -= 1) sorted[index] = sorted[index - 1]!;
  sorted[index] = next;
}

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
      if (fromAbove < cost) {
        move = nextRowMove;
        cost = fromAbove;
      }
      if (fromLeft < cost) {
        move = nextColumnMove;
        cost = fromLeft;
      }
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
