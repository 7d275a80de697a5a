import type { Comparison } from "@reelscript/contract";
import type { Prior } from "./next-period.ts";
import { leastAgain, leastAgainOfLevels } from "./thresholds.ts";

type Kind = Comparison["kind"];

/**
 * How often an effect is large, by kind. In a study of 179 accounts, effects of length and hashtags repeated between halves of an
 * account (correlation 0.35 to 0.61), those of topics less (0.17 to 0.35), and those of hooks not at all. Which direction is
 * better differs from account to account, so each prior is centered at no effect.
 */
const largeShares: Readonly<Record<Kind, number>> = {
  length: 0.3,
  hashtags: 0.3,
  postingHours: 0.3,
  topic: 0.15,
  series: 0.2,
  speech: 0.2,
  pace: 0.1,
  pause: 0.1,
  repost: 0.2,
  opening: 0.05,
  spokenOpening: 0.05,
  views: 0.5,
  engagement: 0.5,
  postingDays: 0.02,
  captionLength: 0.1,
};

const ofViews = 0.6;
/** Rates of engagement differ less than views do. */
const ofEngagement = 0.4;
const ofTrends = 0.7;

/** Levels last longer than the effects of single causes. */
const endingTrends = 0.05;
const endingOthers = 0.12;
/** A level moves more between periods than what single causes change. */
const wanderOfLevels = 0.17;
const wanderOfOthers = 0.1;

export const priorOf = ({ kind, outcome }: Pick<Comparison, "kind" | "outcome">): Prior => ({
  largeShare: largeShares[kind],
  large: kind === "views" ? ofTrends : outcome === "engagement" ? ofEngagement : ofViews,
  ending: isTrend(kind) ? endingTrends : endingOthers,
  wander: isTrend(kind) ? wanderOfLevels : wanderOfOthers,
});

const isTrend = (kind: Kind): boolean => kind === "views" || kind === "engagement";

/** How likely a difference has to be in the next reels for a claim. */
export const leastAgainOf = (kind: Kind): number => (isTrend(kind) ? leastAgainOfLevels : leastAgain);

/** Kinds that seldom matter need a clearer difference, and so do levels, which have many chances: one for each time of change. */
export function weightOf(kind: Kind): number {
  if (isTrend(kind)) return 0.95;
  const share = largeShares[kind];
  return share >= 0.2 ? 1 : share >= 0.15 ? 0.9 : 0.85;
}
