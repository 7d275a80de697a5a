import { endsInLoop } from "../repetition.ts";
import type { Specification } from "./specification.ts";
import type { SpellingTree } from "./spelling-tree.ts";
import type { TokenRules } from "./token-rules.ts";
import type { DecoderOutput } from "./whisper-decoder.ts";

/** One of the readings that a search follows. */
interface Hypothesis {
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
  /** Words whose spelling is known: a reading that writes one is preferred to one that is about as likely. */
  readonly spellings?: SpellingTree | undefined;
  readonly signal: AbortSignal;
  /** Called after each step with the tokens of the likeliest reading so far. */
  readonly onStep: (tokens: readonly number[]) => void;
}

interface LiveHypothesis extends Omit<Hypothesis, "meanLogProbability">, SpellingProgress {
  /** Its row in the decoder's last output. */
  readonly row: number;
}

/** How far a reading has written a word whose spelling is known. */
interface SpellingProgress {
  /** Added to the logarithm of its probability when readings are compared. */
  readonly bonus: number;
  /** The part of the bonus that is taken back if the word isn't finished. */
  readonly pendingBonus: number;
  /** Its node in the tree; `undefined` outside of all words. */
  readonly node: SpellingTree | undefined;
}

interface Candidate extends SpellingProgress {
  readonly parent: LiveHypothesis;
  readonly token: number;
  readonly tokenLogProbability: number;
  readonly logProbability: number;
}

/** Looked for only every so many tokens. */
const loopInterval = 8;
/** For each token of a word whose spelling is known, as a natural logarithm. */
const bonusPerToken = 2;
/** A token of such a word isn't tried if it is so much less likely than the best one: somebody said something else. */
const longestReach = 8;

/**
 * Follows the likeliest readings of a window side by side, as the reference does with patience 1: each offers its best
 * tokens, the best of all go on, and the search is over when as many have ended as are followed. `prompt` is the
 * decoder's output for the first tokens. Rejects with the signal's reason.
 */
export async function searchReadings(
  prompt: DecoderOutput,
  vocabularySize: number,
  rules: TokenRules,
  { endOfText, longestText }: Pick<Specification, "endOfText" | "longestText">,
  { beam, spellings, signal, onStep }: SearchOptions,
): Promise<SearchResult> {
  const ended: RankedHypothesis[] = [];
  const looping: RankedHypothesis[] = [];
  let live: readonly LiveHypothesis[] = [
    { tokens: [], probabilities: [], logProbability: 0, row: 0, bonus: 0, pendingBonus: 0, node: undefined },
  ];
  // The rules write into the logits, and those of the prompt are needed again at the next temperature.
  let logits: Float32Array = prompt.logits.slice(-vocabularySize);
  let output = prompt;
  for (;;) {
    signal.throwIfAborted();
    const candidates = live
      .flatMap((parent) => {
        const row = logits.subarray(parent.row * vocabularySize, (parent.row + 1) * vocabularySize);
        return candidatesOf(parent, row, rules, beam + 1, spellings);
      })
      .toSorted((one, other) => scoreOf(other) - scoreOf(one));
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

    output = await output.step(followed.map(({ parent, token }) => ({ row: parent.row, token })));
    ({ logits } = output);
    const next = followed.map(grownHypothesis);
    onStep(next[0]!.tokens);
    const isLooping = ({ tokens }: LiveHypothesis) =>
      tokens.length % loopInterval === 0 && endsInLoop(tokens.filter((token) => token < endOfText));
    live = next.filter((hypothesis) => !isLooping(hypothesis));
    if (live.length < next.length) looping.push(...next.filter((one) => !live.includes(one)).map(cutHypothesis));
  }
}

const scoreOf = ({ logProbability, bonus }: Candidate): number => logProbability + bonus;

function candidatesOf(
  parent: LiveHypothesis,
  logits: Float32Array,
  rules: TokenRules,
  count: number,
  spellings: SpellingTree | undefined,
): readonly Candidate[] {
  const spellingTokens = spellings ? [...spellings.children.keys(), ...(parent.node?.children.keys() ?? [])] : [];
  const choices = rules.likeliest(logits, parent.tokens, count, spellingTokens);
  const lowest = (choices[0]?.logProbability ?? 0) - longestReach;
  return choices
    .filter(({ logProbability }, index) => index < count || logProbability >= lowest)
    .map(({ token, logProbability }) => ({
      parent,
      token,
      tokenLogProbability: logProbability,
      logProbability: parent.logProbability + logProbability,
      ...spelledOn(parent, token, spellings),
    }));
}

/** The progress of a reading in known words after one more token. */
function spelledOn(
  { bonus, pendingBonus, node }: SpellingProgress,
  token: number,
  spellings: SpellingTree | undefined,
): SpellingProgress {
  const next = node?.children.get(token);
  const earnedBonus = next ? bonus : bonus - pendingBonus;
  const nextNode = next ?? spellings?.children.get(token);
  if (!nextNode) return { bonus: earnedBonus, pendingBonus: 0, node: undefined };
  const pending = (next ? pendingBonus : 0) + bonusPerToken;
  return { bonus: earnedBonus + bonusPerToken, pendingBonus: nextNode.isEnd ? 0 : pending, node: nextNode };
}

interface RankedHypothesis extends Hypothesis {
  readonly meanScore: number;
}

const endedHypothesis = ({ parent, logProbability, bonus }: Candidate): RankedHypothesis => ({
  tokens: parent.tokens,
  probabilities: parent.probabilities,
  logProbability,
  meanLogProbability: logProbability / (parent.tokens.length + 1),
  meanScore: (logProbability + bonus) / (parent.tokens.length + 1),
});

const cutHypothesis = ({
  tokens,
  probabilities,
  logProbability,
  bonus,
  pendingBonus,
}: LiveHypothesis): RankedHypothesis => ({
  tokens,
  probabilities,
  logProbability,
  meanLogProbability: logProbability / tokens.length,
  meanScore: (logProbability + bonus - pendingBonus) / tokens.length,
});

const grownHypothesis = (
  { parent, token, tokenLogProbability, logProbability, bonus, pendingBonus, node }: Candidate,
  row: number,
): LiveHypothesis => ({
  tokens: [...parent.tokens, token],
  probabilities: [...parent.probabilities, Math.exp(tokenLogProbability)],
  logProbability,
  bonus,
  pendingBonus,
  node,
  row,
});

function ranked(hypotheses: readonly RankedHypothesis[]): readonly [Hypothesis, ...Hypothesis[]] {
  const [best, ...others] = hypotheses.toSorted((one, other) => other.meanScore - one.meanScore);
  if (!best) throw new TypeError("a search without a reading");
  return [best, ...others];
}
