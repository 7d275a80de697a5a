import { medianFilter } from "./median-filter.ts";
import { warpedStarts } from "./time-warping.ts";

const secondsPerAttentionFrame = 0.02;

/** Where the heads that follow the speech listened to while they wrote a text. */
export interface Alignment {
  /** Of each head, row by row, for each token that was fed: the share of each frame. */
  readonly heads: readonly Float32Array[];
  readonly tokens: number;
  /** Of 0.02 s each. */
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
  const [means, deviations] = [new Float64Array(columns), new Float64Array(columns)];
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
