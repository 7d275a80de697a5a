import type { TopReel } from "@reelscript/contract";

export type ReelColumn = "views" | "likes" | "comments" | "engagementRate" | "postedAt" | "durationSeconds";

export interface ReelOrder {
  readonly column: ReelColumn;
  readonly descending: boolean;
}

/** Unknown values come last in both directions; equal ones keep their order. */
export function sortReels(reels: readonly TopReel[], { column, descending }: ReelOrder): readonly TopReel[] {
  const valueOf = (reel: TopReel): number | undefined => {
    const value = reel[column];
    return typeof value === "string" ? Date.parse(value) : value;
  };
  return reels.toSorted((one, other) => {
    const [first, second] = [valueOf(one), valueOf(other)];
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return descending ? second - first : first - second;
  });
}
