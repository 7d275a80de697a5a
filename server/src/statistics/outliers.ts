import type { TopReel } from "@reelscript/contract";
import { median } from "./averages.ts";
import type { SeenReel } from "./merge-reels.ts";
import type { Sample } from "./sample.ts";
import {
  mostTopics,
  namedToStart,
  neighbors,
  outlierMultiple,
  sharedByChance,
  sharedByOutliers,
  standingOut,
} from "./thresholds.ts";
import { isNoTopic, plainName, tokensOf } from "./topics.ts";

/** Each reel's count as a multiple of the median of its neighbors in time; none where that median is 0. */
export function multiplesOf({ counted }: Sample): ReadonlyMap<SeenReel, number> {
  const multiples = new Map<SeenReel, number>();
  for (const [index, { reel, count }] of counted.entries()) {
    // Near an end, more of the neighbors are on the other side.
    const from = Math.max(0, Math.min(index - neighbors / 2, counted.length - neighbors - 1));
    const around = counted.slice(from, from + neighbors + 1).filter((one) => one.reel !== reel);
    const typical = median(around.map((one) => one.count));
    if (typical !== undefined && typical > 0) multiples.set(reel, count / typical);
  }
  return multiples;
}

/** The reels with far more than their neighbors, highest multiple first. */
export const outliersOf = (multiples: ReadonlyMap<SeenReel, number>): SeenReel[] =>
  [...multiples]
    .filter(([, multiple]) => multiple > outlierMultiple)
    .toSorted(([one, first], [other, second]) => second - first || (one.url < other.url ? -1 : 1))
    .map(([reel]) => reel);

/**
 * Example reels for a report without advice: those that stand out from their neighbors, most first. A single outlier is left
 * out, because one reel can't be copied. If no other stands out, those with the highest counts, without a multiple.
 */
export function reelsToStartFrom(topReels: readonly TopReel[], outliers: readonly TopReel[] = []): TopReel[] {
  const copied = outliers.length > 1 ? outliers : [];
  const others = topReels.filter(({ url }) => outliers.every((outlier) => outlier.url !== url));
  const standing = others
    .filter(({ multiple = 0 }) => multiple >= standingOut)
    .toSorted((one, other) => (other.multiple ?? 0) - (one.multiple ?? 0));
  const selection = [...copied, ...standing];
  const examples = selection.length > 0 ? selection : others.map((reel) => ({ ...reel, multiple: undefined }));
  return examples.slice(0, namedToStart);
}

/** Words and hashtags in most of the outliers that chance alone would hardly put there, the most frequent first. */
export function topicsOfOutliers(outliers: readonly SeenReel[], all: readonly SeenReel[], handle: string): string[] {
  const isGeneric = isNoTopic(handle);
  const among = new Set(outliers);
  const others = all.filter((reel) => !among.has(reel));
  const outside = countTokens(others);
  return [...countTokens(outliers)]
    .filter(([name, count]) => {
      // One reel more of each kind: a word that no other reel has could still occur.
      const usual = ((outside.get(name) ?? 0) + 1) / (others.length + 2);
      return (
        !isGeneric(name) &&
        count > sharedByOutliers * outliers.length &&
        chanceOfAtLeast(count, outliers.length, usual) <= sharedByChance
      );
    })
    .toSorted(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .map(([name]) => name)
    .filter((name, index, names) => names.findIndex((other) => plainName(other) === plainName(name)) === index)
    .slice(0, mostTopics);
}

/** Probability of at least `count` hits in so many draws, each with the probability `share`, which is below 1. */
function chanceOfAtLeast(count: number, draws: number, share: number): number {
  let exactly = (1 - share) ** draws;
  let below = 0;
  for (let hits = 0; hits < count; hits += 1) {
    below += exactly;
    exactly *= ((draws - hits) / (hits + 1)) * (share / (1 - share));
  }
  return Math.max(0, 1 - below);
}

function countTokens(reels: readonly SeenReel[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { caption } of reels)
    for (const name of caption === null ? [] : tokensOf(caption)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
