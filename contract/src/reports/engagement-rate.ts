/** Percentage of (likes + comments) in views; `null` when a part is unknown or nobody viewed it. */
export function engagementRate(counts: {
  readonly views: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
}): number | null {
  const { views, likes, comments } = counts;
  return views === null || views === 0 || likes === null || comments === null
    ? null
    : ((likes + comments) * 100) / views;
}
