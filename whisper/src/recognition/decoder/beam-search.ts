import { endsInLoop } from "../repetition.ts";
import type { Specification } from "./specification.ts";
import type { TokenRules } from "./token-rules.ts";
import type { DecoderOutput, WhisperDecoder } from "./whisper-decoder.ts";

/** One of the readings that a search follows. */
export interface Hypothesis {
  readonly tokens: readonly number[];
  /** How likely each of the tokens was, 0 to 1. */
  readonly probabilities: readonly number[];
  /** Natural logarithm of the probability of all tokens together. */
  readonly logProbability: number;
  /** Mean natural logarithm of the tokens' probabilities; the end of the text counts as one. */
  readonly meanLogProbability: number;
}

export interface SearchResult {
  /** All readings that ended, best mean first; where none did, those that were cut off or repeated themselves. Never empty. */
  readonly hypotheses: readonly [Hypothesis, ...Hypothesis[]];
  /** Every reading repeated itself. */
  readonly isLoop: boolean;
  /** No reading came to an end before the longest text. */
  readonly isCutOff: boolean;
}

export interface SearchOptions {
  /** Readings that are followed at a time. */
  readonly beam: number;
  readonly signal: AbortSignal;
  /** Called after each step with the tokens of the likeliest reading so far. */
  readonly onStep: (tokens: readonly number[]) => void;
}

interface LiveHypothesis extends Omit<Hypothesis, "meanLogProbability"> {
  /** Its row in the decoder's last output. */
  readonly row: number;
}

interface Candidate {
  readonly parent: LiveHypothesis;
  readonly token: number;
  readonly tokenLogProbability: number;
  readonly logProbability: number;
}

/** Looked for only every so many tokens. */
const loopInterval = 8;

/**
 * Follows the likeliest readings of a window side by side, as the reference does with patience 1: each offers its best
 * tokens, the best of all go on, and the search is over when as many have ended as are followed. `prompt` is the
 * decoder's output for the first tokens. Rejects with the signal's reason.
 */
export async function searchReadings(
  decoder: WhisperDecoder,
  rules: TokenRules,
  { endOfText, longestText }: Pick<Specification, "endOfText" | "longestText">,
  prompt: DecoderOutput,
  { beam, signal, onStep }: SearchOptions,
): Promise<SearchResult> {
  const ended: Hypothesis[] = [];
  const looping: Hypothesis[] = [];
  let live: readonly LiveHypothesis[] = [{ tokens: [], probabilities: [], logProbability: 0, row: 0 }];
  // The rules write into the logits, and those of the prompt are needed again at the next temperature.
  let logits: Float32Array = prompt.logits.slice(-decoder.vocabularySize);
  let { state } = prompt;
  for (;;) {
    signal.throwIfAborted();
    const candidates = live
      .flatMap((parent) => candidatesOf(parent, logits, rules, decoder.vocabularySize, beam + 1))
      .toSorted((one, other) => other.logProbability - one.logProbability);
    const followed: Candidate[] = [];
    for (const candidate of candidates) {
      if (followed.length === beam) break;
      if (candidate.token !== endOfText) followed.push(candidate);
      else if (ended.length < beam) ended.push(endedHypothesis(candidate));
    }
    const isOver = ended.length >= beam || followed.length === 0;
    const isCutOff = !isOver && followed[0]!.parent.tokens.length >= longestText;
    if (isOver || isCutOff) {
      if (ended.length > 0) return { hypotheses: ranked(ended), isLoop: false, isCutOff: false };
      if (isCutOff) return { hypotheses: ranked(live.map(cutHypothesis)), isLoop: false, isCutOff };
      return { hypotheses: ranked(looping), isLoop: true, isCutOff: false };
    }

    ({ logits, state } = await decoder.step(
      state,
      followed.map(({ parent, token }) => ({ row: parent.row, token })),
    ));
    const next = followed.map(grownHypothesis);
    onStep(next[0]!.tokens);
    const isLooping = ({ tokens }: LiveHypothesis) =>
      tokens.length % loopInterval === 0 && endsInLoop(tokens.filter((token) => token < endOfText));
    live = next.filter((hypothesis) => !isLooping(hypothesis));
    if (live.length < next.length) looping.push(...next.filter((one) => !live.includes(one)).map(cutHypothesis));
  }
}

function candidatesOf(
  parent: LiveHypothesis,
  logits: Float32Array,
  rules: TokenRules,
  vocabularySize: number,
  count: number,
): readonly Candidate[] {
  const row = logits.subarray(parent.row * vocabularySize, (parent.row + 1) * vocabularySize);
  return rules.likeliest(row, parent.tokens, count).map(({ token, logProbability }) => ({
    parent,
    token,
    tokenLogProbability: logProbability,
    logProbability: parent.logProbability + logProbability,
  }));
}

const endedHypothesis = ({ parent, logProbability }: Candidate): Hypothesis => ({
  tokens: parent.tokens,
  probabilities: parent.probabilities,
  logProbability,
  meanLogProbability: logProbability / (parent.tokens.length + 1),
});

const cutHypothesis = ({ tokens, probabilities, logProbability }: LiveHypothesis): Hypothesis => ({
  tokens,
  probabilities,
  logProbability,
  meanLogProbability: logProbability / tokens.length,
});

const grownHypothesis = (
  { parent, token, tokenLogProbability, logProbability }: Candidate,
  row: number,
): LiveHypothesis => ({
  tokens: [...parent.tokens, token],
  probabilities: [...parent.probabilities, Math.exp(tokenLogProbability)],
  logProbability,
  row,
});

function ranked(hypotheses: readonly Hypothesis[]): readonly [Hypothesis, ...Hypothesis[]] {
  const [best, ...others] = hypotheses.toSorted((one, other) => other.meanLogProbability - one.meanLogProbability);
  if (!best) throw new TypeError("a search without a reading");
  return [best, ...others];
}
