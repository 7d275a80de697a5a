import type { Comparison } from "@reelscript/contract";
import type { Membership } from "./find-differences.ts";
import { coincidence } from "./thresholds.ts";

/** Kinds by how directly they say what to do, the most direct first. */
const actionable: readonly Comparison["kind"][] = [
  "length",
  "postingHours",
  "series",
  "speech",
  "opening",
  "spokenOpening",
  "topic",
  "hashtags",
  "pace",
  "repost",
  "pause",
];

/** A comparison and which of the compared reels it is about. */
export interface ComparisonOfReels {
  readonly comparison: Comparison;
  readonly isIn: Membership;
}

const isTrend = ({ kind }: Comparison): boolean => kind === "views" || kind === "engagement";

/**
 * Findings that divide the same reels become one, which has the most actionable name of the clear ones, and the others as
 * `also`. Each kind and each topic keeps only the clearest. Takes the findings in the order of their strength.
 */
export function onceEach(comparisonsOfReels: readonly ComparisonOfReels[]): Comparison[] {
  const comparisons: Comparison[] = [];
  const merged = new Set<ComparisonOfReels>();
  for (const one of comparisonsOfReels) {
    if (merged.has(one)) continue;
    const alike =
      isTrend(one.comparison) || !one.comparison.clear
        ? [one]
        : comparisonsOfReels.filter((other) => !merged.has(other) && dividesAlike(one, other));
    for (const other of alike) merged.add(other);
    const [head = one] = alike.filter(({ comparison }) => comparison.clear).toSorted(byAction);
    const also = alike.filter((other) => other !== head).map((other) => subjectFrom(head, other));
    if (!comparisons.some((other) => isAboutSame(other, head.comparison)))
      comparisons.push({ ...head.comparison, ...(also.length > 0 && { also }) });
  }
  return comparisons;
}

const byAction = (one: ComparisonOfReels, other: ComparisonOfReels): number =>
  actionable.indexOf(one.comparison.kind) - actionable.indexOf(other.comparison.kind);

const isAboutSame = (one: Comparison, other: Comparison): boolean =>
  one.kind === other.kind &&
  one.outcome === other.outcome &&
  one.topic === other.topic &&
  one.opening === other.opening;

/** True if two findings on the same count divide the reels alike, whichever side they name. */
export const dividesAlike = (one: ComparisonOfReels, other: ComparisonOfReels): boolean =>
  one === other ||
  (one.comparison.outcome === other.comparison.outcome &&
    !isTrend(other.comparison) &&
    one.isIn.length === other.isIn.length &&
    (likeness(one.isIn, other.isIn, 1) > coincidence || likeness(one.isIn, other.isIn, 0) > coincidence));

/** Jaccard of the reels of one and those of the other on a side, among the reels that both know. */
function likeness(one: Membership, other: Membership, side: 0 | 1): number {
  let both = 0;
  let either = 0;
  let knownMembers = 0;
  for (const [index, member] of one.entries()) {
    const opposite = other[index];
    if (member === -1 || opposite === -1) continue;
    knownMembers += 1;
    both += Number(member === 1 && opposite === side);
    either += Number(member === 1 || opposite === side);
  }
  return knownMembers < one.length / 2 || either === 0 ? 0 : both / either;
}

/** The other finding's subject as one of the head's reels: they have it, or they lack it. */
function subjectFrom(head: ComparisonOfReels, other: ComparisonOfReels): NonNullable<Comparison["also"]>[number] {
  const { kind, hours, upTo, above, topic, opening } = other.comparison;
  return {
    kind,
    ...(hours && { hours }),
    ...(upTo !== undefined && { upTo }),
    ...(above !== undefined && { above }),
    ...(topic !== undefined && { topic }),
    ...(opening && { opening }),
    ...(likeness(head.isIn, other.isIn, 0) > likeness(head.isIn, other.isIn, 1) && { lacks: true }),
  };
}
