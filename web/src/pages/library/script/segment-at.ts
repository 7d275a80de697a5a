interface Timed {
  readonly start: number;
  readonly text: string;
}

/** Times in addresses may have been rounded. */
const tolerance = 0.5;

/** The segment that is being said at a second; `undefined` without one. */
export function segmentAt(segments: readonly Timed[], second: number | undefined): number | undefined {
  if (second === undefined || segments.length === 0) return undefined;
  const exact = segments.findIndex(({ start }) => Math.abs(start - second) < 0.01);
  if (exact !== -1) return exact;
  return Math.max(
    0,
    segments.findLastIndex(({ start }) => start <= second + tolerance),
  );
}

const longestBefore = 48;

/** What a title card shows around a segment: the last words before it, itself, and what follows. */
export function cardWords(
  segments: readonly Timed[],
  current: number,
): { readonly before: string; readonly now: string; readonly after: string } {
  const before = segments[current - 1]?.text.trim() ?? "";
  const cut = before.length > longestBefore ? before.slice(-longestBefore).replace(/^\S*\s+/, "") : before;
  const after = segments
    .slice(current + 1, current + 5)
    .map(({ text }) => text.trim())
    .join(" ");
  return { before: cut, now: segments[current]?.text.trim() ?? "", after };
}
