import type { Difference, Period } from "./find-differences.ts";
import { fallingShort, furtherPosts, heldShare, goingBeyond, nearlyNothing, sureAgain } from "./thresholds.ts";

/** A kind of effect as other accounts have it: how often it is large, and how large it then is. */
export interface Prior {
  readonly largeShare: number;
  /** Standard deviation of a large effect on the logarithm; it is as often negative. */
  readonly large: number;
  /** Share of the effects that end before the next posts. */
  readonly ending: number;
  /** Standard deviation by which an effect changes from period to period, at least. */
  readonly wander: number;
}

/** A difference as the next posts are expected to show it, on the logarithm. */
export interface Expected {
  readonly by: number;
  readonly low: number;
  readonly high: number;
  /** Probability that the next posts differ in the same direction. */
  readonly again: number;
  /** True if what earlier posts showed held in later ones, with no single period deciding it. */
  readonly held: boolean;
  /** True if it held from each half and third of the posts to the rest, and is likely to hold again. */
  readonly sure: boolean;
}

interface Part {
  readonly share: number;
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Forecasts a difference for the next posts, two thirds as many. What other accounts showed of this kind shrinks it, what
 * differs between the account's own periods widens it, and the luck of the next posts is part of the interval.
 */
export function expectNext({ by, error, periods }: Difference, prior: Prior): Expected {
  const wander = wanderOf(periods, error) + prior.wander ** 2;
  const uncertainty = error ** 2 + wander / periods.length;
  const parts = [
    { share: 1 - prior.largeShare, scale: nearlyNothing },
    { share: prior.largeShare, scale: prior.large },
  ].map(({ share, scale }) => {
    const total = scale ** 2 + uncertainty;
    const likelihood = Math.exp(-(by ** 2) / (2 * total)) / Math.sqrt(total);
    const mean = (by * scale ** 2) / total;
    const left = (scale ** 2 * uncertainty) / total;
    return { share: share * likelihood, mean, deviation: Math.sqrt(left + wander + furtherPosts * error ** 2) };
  });
  const sum = parts.reduce((all, { share }) => all + share, 0);
  const lasting: Part[] = parts.map((part) => ({ ...part, share: ((1 - prior.ending) * part.share) / sum }));
  const mixture = [...lasting, { share: prior.ending, mean: 0, deviation: lasting[0]!.deviation }];
  const mean = lasting.reduce((all, one) => all + one.share * one.mean, 0) / (1 - prior.ending);
  const below = shareBelow(mixture, 0);
  const [under, over] = by > 0 ? [fallingShort, goingBeyond] : [goingBeyond, fallingShort];
  const again = by > 0 ? 1 - below : below;
  const held = hasHeld(periods, by);
  return {
    by: mean,
    low: quantile(mixture, under),
    high: quantile(mixture, 1 - over),
    again,
    held,
    sure: held && again >= sureAgain && holdsFromEach(periods, by),
  };
}

/** Variance of the difference between periods beyond their own errors (DerSimonian and Laird). */
function wanderOf(periods: readonly Period[], error: number): number {
  const whole = periods.reduce((sum, { information }) => sum + information, 0);
  if (whole === 0) return 0;
  const variance = error ** 2 * whole;
  const weights = periods.map(({ information }) => information / variance);
  const total = 1 / error ** 2;
  const middle = periods.reduce((sum, { by }, index) => sum + weights[index]! * by, 0) / total;
  const spread = periods.reduce((sum, { by }, index) => sum + weights[index]! * (by - middle) ** 2, 0);
  const squares = weights.reduce((sum, weight) => sum + weight ** 2, 0);
  return Math.max(0, (spread - (periods.length - 1)) / Math.max(1e-9, total - squares / total));
}

/** The later half shows what the earlier half does, and without any one period enough of it remains. */
function hasHeld(periods: readonly Period[], by: number): boolean {
  const half = Math.floor(periods.length / 2);
  const shows = (some: readonly Period[]): boolean => meanOf(some) / by >= heldShare;
  return (
    shows(periods.slice(0, half)) &&
    shows(periods.slice(half)) &&
    periods.every((period) => meanOf(periods.filter((one) => one !== period)) / by >= 0.5)
  );
}

/** From every origin the later posts differ in the direction of the earlier ones. */
const holdsFromEach = (periods: readonly Period[], by: number): boolean =>
  periods.every((_, origin) => origin === 0 || meanOf(periods.slice(origin)) / by > 0);

function meanOf(periods: readonly Period[]): number {
  const whole = periods.reduce((sum, { information }) => sum + information, 0);
  return whole === 0 ? 0 : periods.reduce((sum, { by, information }) => sum + by * information, 0) / whole;
}

const shareBelow = (parts: readonly Part[], value: number): number =>
  parts.reduce((sum, { share, mean, deviation }) => sum + share * normalShare((value - mean) / deviation), 0);

function quantile(parts: readonly Part[], share: number): number {
  let low = -20;
  let high = 20;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (shareBelow(parts, middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Share of a normal distribution below a number of standard deviations (Abramowitz and Stegun 26.2.17, within 1e-7). */
function normalShare(deviations: number): number {
  const at = 1 / (1 + 0.231_641_9 * Math.abs(deviations));
  const polynomial =
    at * (0.319_381_53 + at * (-0.356_563_782 + at * (1.781_477_937 + at * (-1.821_255_978 + at * 1.330_274_429))));
  const beyond = (Math.exp(-(deviations ** 2) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
  return deviations > 0 ? 1 - beyond : beyond;
}
