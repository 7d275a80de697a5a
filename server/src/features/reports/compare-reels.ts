import { count, times } from "./format-figures.ts";
import type { SeenReel } from "./merge-reels.ts";
import { differReliably, known, median } from "./statistics.ts";

/** Reels on each side without which two groups are not compared. */
export const fewestToCompare = 5;
/** Two halves that are closer than this are said to be alike. */
export const clearRatio = 1.25;
export interface Finding {
  readonly text: string;
  /** How much it can be relied on and changes; 0 of what is only said to have been checked. */
  readonly strength: number;
}

export const checkedOnly = (text: string): Finding => ({ text, strength: 0 });

export const viewsOf = ({ views }: SeenReel): number | null => views;

/** Compares the views of the reels up to the median of a measure with those above it. */
export function halves(split: {
  readonly reels: readonly SeenReel[];
  readonly by: (reel: SeenReel) => number | null;
  readonly low: (middle: number) => string;
  readonly high: string;
  readonly alike: string;
}): Finding | undefined {
  const measured = split.reels
    .filter(({ views }) => views !== null)
    .map((reel) => ({ ...reel, measure: split.by(reel) }))
    .filter((reel): reel is typeof reel & { measure: number } => reel.measure !== null);
  const middle = median(measured.map(({ measure }) => measure));
  if (middle === undefined) return undefined;
  return compare({
    first: [split.low(middle), measured.filter(({ measure }) => measure <= middle)],
    second: [split.high, measured.filter(({ measure }) => measure > middle)],
    alike: split.alike,
  });
}

type Group = readonly [name: string, reels: readonly SeenReel[]];

/** Says the typical views of two groups and how many reels each has; `undefined` when one is too small. */
export function compare(groups: {
  readonly first: Group;
  readonly second: Group;
  readonly alike: string;
}): Finding | undefined {
  const measured = [groups.first, groups.second].map(([name, reels]) => {
    const views = known(reels, viewsOf);
    return { views, size: views.length, middle: median(views) ?? 0, name };
  });
  if (measured.some(({ size }) => size < fewestToCompare)) return undefined;
  const [more, less] = measured.toSorted((one, other) => other.middle - one.middle);
  if (more === undefined || less === undefined) return undefined;
  const evidence = `typically ${count(more.middle)} (${more.size} reels), against ${count(less.middle)} for ${less.name} (${less.size})`;
  if (more.middle === 0 || more.middle < less.middle * clearRatio)
    return checkedOnly(
      `${groups.alike}: ${more.name} typically get ${count(more.middle)} views (${more.size} reels), ${less.name} ${count(less.middle)} (${less.size}).`,
    );
  const effect = less.middle === 0 ? "more views" : `${times(more.middle / less.middle)} the views`;
  return {
    text: `${capitalized(more.name)} get ${effect}: ${evidence}.`,
    strength: strengthOf(more.views, less.views, less.middle, more.middle),
  };
}

/** The effect, where two groups of this size would hardly differ so by chance; else 0. */
export function strengthOf(one: readonly number[], other: readonly number[], low: number, high: number): number {
  if (!differReliably(one, other)) return 0;
  const [less, more] = [Math.min(low, high), Math.max(low, high)];
  return less === 0 ? Math.log(10) : Math.min(Math.log(10), Math.log(more / less));
}

const capitalized = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
