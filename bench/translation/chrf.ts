/** Character n-grams up to this length are compared. */
const longestGram = 6;
/** Recall counts so many times as much as precision. */
const beta = 2;

interface Counts {
  readonly inHypothesis: number;
  readonly inReference: number;
  readonly inBoth: number;
}

/** A text beside the one that a person wrote. */
export interface TextPair {
  readonly hypothesis: string;
  readonly reference: string;
}

/**
 * chrF2 of all pairs together, 0 to 100 (Popović 2015): precision and recall of the n-grams of one to six characters, without
 * spaces, each averaged over the lengths that occur on both sides, joined by the F-score with beta 2.
 */
export function chrf(pairs: readonly TextPair[]): number {
  const lengths = Array.from({ length: longestGram }, (_, index) => index + 1);
  const counts = lengths
    .map((length) => pairs.map((pair) => countsOf(pair, length)).reduce(added, nothing))
    .filter(({ inHypothesis, inReference }) => inHypothesis > 0 && inReference > 0);
  if (counts.length === 0) return 0;
  const mean = (share: (count: Counts) => number): number =>
    counts.reduce((sum, count) => sum + share(count), 0) / counts.length;
  const precision = mean(({ inBoth, inHypothesis }) => inBoth / inHypothesis);
  const recall = mean(({ inBoth, inReference }) => inBoth / inReference);
  const weighted = beta ** 2 * precision + recall;
  return weighted === 0 ? 0 : (100 * (1 + beta ** 2) * precision * recall) / weighted;
}

const nothing: Counts = { inHypothesis: 0, inReference: 0, inBoth: 0 };

const added = (one: Counts, other: Counts): Counts => ({
  inHypothesis: one.inHypothesis + other.inHypothesis,
  inReference: one.inReference + other.inReference,
  inBoth: one.inBoth + other.inBoth,
});

function countsOf({ hypothesis, reference }: TextPair, length: number): Counts {
  const grams = gramsOf(hypothesis, length);
  const referenceGrams = gramsOf(reference, length);
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);
  return {
    inHypothesis: sum(grams.values()),
    inReference: sum(referenceGrams.values()),
    inBoth: sum([...grams].map(([gram, count]) => Math.min(count, referenceGrams.get(gram) ?? 0))),
  };
}

function gramsOf(text: string, length: number): ReadonlyMap<string, number> {
  const characters = Array.from(text.normalize("NFC").replaceAll(/\s+/gu, ""));
  const grams = new Map<string, number>();
  for (let at = 0; at + length <= characters.length; at += 1) {
    const gram = characters.slice(at, at + length).join("");
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}
