import { dayNames, type Comparison, type PostingBlock, type PostingHour, type PostingTime } from "@reelscript/contract";
import { blocks } from "./groups.ts";
import { hoursOfBlock } from "./thresholds.ts";

/** Counts the reels posted in each block of the day; nothing where no reel has a date. */
export function postingBlocksOf(hours: readonly PostingHour[], comparisons: readonly Comparison[]): PostingBlock[] {
  const best = comparisons.find(
    ({ kind, clear, times, outcome = "views" }) =>
      kind === "postingHours" && clear && times > 1 && outcome !== "engagement",
  )?.hours;
  return blocks.flatMap((block) => {
    const inside = hours.filter(({ hour }) => hour >= block.from && hour < block.from + hoursOfBlock);
    if (inside.length === 0) return [];
    const settledReels = sumOf(inside, ({ settledReels: count = 0 }) => count);
    const views = sumOf(inside, ({ settledReels: count = 0, avgViews = 0 }) => count * avgViews);
    return [
      {
        hours: block,
        reels: sumOf(inside, ({ reels }) => reels),
        ...(settledReels > 0 && { settledReels, avgViews: views / settledReels }),
        ...(best?.from === block.from && { best: true }),
      },
    ];
  });
}

/** Every hour of the block that clearly gets more, on every day: single hours and days are chance. */
export function bestPostingTimesOf(postingBlocks: readonly PostingBlock[]): PostingTime[] {
  const best = postingBlocks.find((block) => block.best);
  if (best === undefined) return [];
  const { hours, avgViews = 0 } = best;
  return dayNames.flatMap((dayOfWeek) =>
    Array.from({ length: hoursOfBlock }, (_, index) => ({ dayOfWeek, hour: hours.from + index, avgViews })),
  );
}

const sumOf = <Item>(items: readonly Item[], valueOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + valueOf(item), 0);
