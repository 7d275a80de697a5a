import type { Specification } from "./specification.ts";

export interface Sampling {
  /** 0 takes the likeliest token; above, tokens are drawn, the more evenly the higher. */
  readonly temperature: number;
  /** Gives numbers in [0, 1). */
  readonly random: () => number;
}

export interface Choice {
  readonly token: number;
  /** Natural logarithm of its probability among the allowed tokens at temperature 1. */
  readonly logProbability: number;
}

/** Half-open range of tokens. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Tokens this far below the best (natural logarithm) do not move the sum of the probabilities. */
const negligibleDifference = 13;

/**
 * Which token may follow: a text begins with a timestamp of at most 1 s, timestamps never fall and come in pairs
 * around text, suppressed tokens never come. A timestamp is taken when all timestamps together are likelier than
 * the likeliest text token.
 */
export class TokenRules {
  readonly #specification: Specification;
  readonly #vocabularySize: number;

  constructor(specification: Specification, vocabularySize: number) {
    this.#specification = specification;
    this.#vocabularySize = vocabularySize;
  }

  /** Chooses the token after `tokens` by `logits`, in which suppressed tokens are struck out. */
  choose(logits: Float32Array, tokens: readonly number[], { temperature, random }: Sampling): Choice {
    for (const token of this.#specification.suppressed) logits[token] = -Infinity;
    const text = this.#allowedText(tokens);
    const timestamps = this.#allowedTimestamps(tokens);
    const bestText = likeliest(logits, text);
    const bestTimestamp = likeliest(logits, timestamps);
    const highest = Math.max(bestText.logit, bestTimestamp.logit);
    const timestampSum = sumOfExponentials(logits, timestamps, highest, Infinity, 1);
    const sum = timestampSum + sumOfExponentials(logits, text, highest, negligibleDifference, 1);
    const isTimestamp = timestampSum > 0 && Math.log(timestampSum) + highest > bestText.logit;
    let { token } = isTimestamp || bestTimestamp.logit > bestText.logit ? bestTimestamp : bestText;
    if (temperature > 0)
      token = draw(logits, isTimestamp ? [timestamps] : [text, timestamps], highest, temperature, random());
    return { token, logProbability: (logits[token] ?? -Infinity) - highest - Math.log(sum) };
  }

  /**
   * The likeliest tokens after `tokens`, best first and at most `count`, by `logits`, in which suppressed tokens are struck out;
   * and after them those of `extraTokens` that may follow. Where a timestamp has to follow, only timestamps share the probability,
   * as in the reference.
   */
  likeliest(
    logits: Float32Array,
    tokens: readonly number[],
    count: number,
    extraTokens: Iterable<number> = [],
  ): readonly Choice[] {
    for (const token of this.#specification.suppressed) logits[token] = -Infinity;
    const text = this.#allowedText(tokens);
    const timestamps = this.#allowedTimestamps(tokens);
    const bestText = bestTokens(logits, text, count);
    const bestTimestamps = bestTokens(logits, timestamps, count);
    const textLogit = logits[bestText[0] ?? -1] ?? -Infinity;
    const highest = Math.max(textLogit, logits[bestTimestamps[0] ?? -1] ?? -Infinity);
    const timestampSum = sumOfExponentials(logits, timestamps, highest, Infinity, 1);
    const isTimestamp = timestampSum > 0 && Math.log(timestampSum) + highest > textLogit;
    const sum = isTimestamp
      ? timestampSum
      : timestampSum + sumOfExponentials(logits, text, highest, negligibleDifference, 1);
    const total = highest + Math.log(sum);
    const best = isTimestamp
      ? bestTimestamps
      : [...bestText, ...bestTimestamps].toSorted((one, other) => logits[other]! - logits[one]!).slice(0, count);
    const isAllowed = (token: number): boolean =>
      (!isTimestamp && token >= text.from && token < text.to) || (token >= timestamps.from && token < timestamps.to);
    const others = [...extraTokens].filter((token) => isAllowed(token) && !best.includes(token));
    return [...best, ...others].map((token) => ({ token, logProbability: logits[token]! - total }));
  }

  #isTimestamp(token: number | undefined): boolean {
    return token !== undefined && token >= this.#specification.firstTimestamp;
  }

  /** After a timestamp that closes text only another timestamp or the end may come. */
  #allowedText(tokens: readonly number[]): Range {
    const { firstTimestamp, endOfText } = this.#specification;
    if (tokens.length === 0) return { from: firstTimestamp, to: firstTimestamp };
    return { from: this.#closesText(tokens) ? endOfText : 0, to: firstTimestamp };
  }

  #allowedTimestamps(tokens: readonly number[]): Range {
    const { firstTimestamp, latestFirstTimestamp } = this.#specification;
    if (tokens.length === 0)
      return { from: firstTimestamp, to: Math.min(this.#vocabularySize, firstTimestamp + latestFirstTimestamp + 1) };

    if (this.#isTimestamp(tokens.at(-1)) && !this.#closesText(tokens))
      return { from: firstTimestamp, to: firstTimestamp };
    const latest = tokens.findLast((token) => this.#isTimestamp(token)) ?? firstTimestamp - 1;
    return { from: this.#closesText(tokens) ? latest : latest + 1, to: this.#vocabularySize };
  }

  #closesText(tokens: readonly number[]): boolean {
    return tokens.length > 1 && this.#isTimestamp(tokens.at(-1)) && !this.#isTimestamp(tokens.at(-2));
  }
}

/** Best first, those of negative infinity left out. */
function bestTokens(logits: Float32Array, { from, to }: Range, count: number): readonly number[] {
  const best: number[] = [];
  let lowest = -Infinity;
  for (let token = from; token < to; token += 1) {
    const logit = logits[token]!;
    if (logit <= lowest) continue;
    let rank = best.length;
    while (rank > 0 && logits[best[rank - 1]!]! < logit) rank -= 1;
    best.splice(rank, 0, token);
    if (best.length > count) best.pop();
    if (best.length === count) lowest = logits[best.at(-1)!]!;
  }
  return best;
}

function likeliest(logits: Float32Array, { from, to }: Range): { token: number; logit: number } {
  let token = -1;
  let logit = -Infinity;
  for (let candidate = from; candidate < to; candidate += 1)
    if (logits[candidate]! > logit) {
      logit = logits[candidate]!;
      token = candidate;
    }

  return { token, logit };
}

function sumOfExponentials(
  logits: Float32Array,
  { from, to }: Range,
  highest: number,
  reach: number,
  temperature: number,
): number {
  const lowest = highest - reach;
  let sum = 0;
  for (let token = from; token < to; token += 1)
    if (logits[token]! > lowest) sum += Math.exp((logits[token]! - highest) / temperature);

  return sum;
}

function draw(
  logits: Float32Array,
  ranges: readonly Range[],
  highest: number,
  temperature: number,
  random: number,
): number {
  const reach = negligibleDifference * temperature;
  let rest =
    random * ranges.reduce((sum, range) => sum + sumOfExponentials(logits, range, highest, reach, temperature), 0);
  let drawn = -1;
  for (const { from, to } of ranges)
    for (let token = from; token < to; token += 1) {
      if (logits[token]! <= highest - reach) continue;
      drawn = token;
      rest -= Math.exp((logits[token]! - highest) / temperature);
      if (rest <= 0) return drawn;
    }

  // Rounding may leave a crumb: then the last candidate is the one.
  return drawn;
}
