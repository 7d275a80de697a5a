import { addressesIn, mostBatchLinks, reelNamedBy } from "@reelscript/contract/values";

export interface FoundLinks {
  /** Addresses of reels without tracking parameters, each reel once, in order. */
  readonly reels: readonly string[];
  /** Links that exceed a batch are left for the next one. */
  readonly rest: readonly string[];
  /** Links to a reel that another link already names. */
  readonly duplicates: number;
  /** Links that aren't reels, as they were written, each once. */
  readonly others: readonly string[];
  /** Lines without any link, trimmed, each once. */
  readonly plainLines: readonly string[];
}

/** Finds the reels in pasted text: bare addresses, share texts, links wrapped in others. */
export function reelLinksIn(text: string): FoundLinks {
  const reels = new Map<string, string>();
  const others = new Set<string>();
  let duplicates = 0;
  for (const address of addressesIn(text)) {
    const reel = reelNamedBy(address);
    if (reel === undefined) others.add(address);
    else if (reels.has(reel.key)) duplicates += 1;
    else reels.set(reel.key, reel.url);
  }
  const urls = [...reels.values()];
  return {
    reels: urls.slice(0, mostBatchLinks),
    rest: urls.slice(mostBatchLinks),
    duplicates,
    others: [...others],
    plainLines: plainLinesIn(text),
  };
}

function plainLinesIn(text: string): readonly string[] {
  const lines = new Set(text.split(/[\n\r]+/).map((line) => line.trim()));
  return [...lines].filter((line) => line !== "" && addressesIn(line).length === 0);
}

export const reelKey = (url: string): string => reelNamedBy(url)?.key ?? url;
