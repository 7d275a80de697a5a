import type { Comparison } from "@reelscript/contract";
import { comparisonsOf } from "../../src/statistics/comparisons-of.ts";
import { engagementOf } from "../../src/statistics/report-figures.ts";
import { randomOf } from "../../src/statistics/find-differences.ts";
import type { SeenReel } from "../../src/statistics/merge-reels.ts";
import { sampleOf } from "../../src/statistics/sample.ts";
import { traitsOf } from "../../src/statistics/traits.ts";

const dayMilliseconds = 86_400_000;
export const collectedAt = new Date("2026-11-20T10:00:00Z");
const first = Date.UTC(2026, 4, 1);

interface MadeUpReel {
  /** 0 is the oldest. */
  readonly index: number;
  readonly hour: number;
  readonly normal: () => number;
  readonly random: () => number;
}

export interface AccountPlan {
  readonly reels?: number;
  /** Returns the hour at which the reel with this index is posted. By default it is random, from 5 to 23. */
  readonly hour?: (index: number, random: () => number) => number;
  readonly factor?: (reel: MadeUpReel) => number;
  /** Standard deviation of the logarithm of views. */
  readonly sigma?: (reel: MadeUpReel) => number;
  /** How much of a reel's luck the next one has. */
  readonly memory?: number;
  readonly change?: (reel: SeenReel, madeUpReel: MadeUpReel) => Partial<SeenReel>;
}

/** Reels of 200 days with views around 30,000, and with times, lengths and captions that do not matter for them. */
export function accountOf(seed: number, plan: AccountPlan = {}): SeenReel[] {
  const random = randomOf(1_000_003 * (seed + 1));
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const {
    reels = 80,
    memory = 0,
    sigma = () => 0.8,
    factor = () => 1,
    hour = (_, chance) => 5 + Math.floor(chance() * 19),
  } = plan;
  let luck = normal();
  return Array.from({ length: reels }, (_, index) => {
    const madeUpReel = { index, hour: hour(index, random), normal, random };
    luck = memory * luck + Math.sqrt(1 - memory ** 2) * normal();
    const views = Math.round(30_000 * Math.exp(sigma(madeUpReel) * luck) * factor(madeUpReel));
    const rate = 0.05 * Math.exp(0.4 * normal());
    const day = Math.floor((index * 200) / reels);
    const reel: SeenReel = {
      url: `https://www.instagram.com/reel/M${index}/`,
      platform: "instagram",
      caption: `${"word ".repeat(Math.floor(random() * 30))}${random() < 0.5 ? "#bread" : ""}${random() < 0.3 ? " #sourdough" : ""}`,
      views,
      likes: Math.round(views * rate),
      comments: 0,
      postedAt: new Date(first + day * dayMilliseconds + (madeUpReel.hour + random()) * 3_600_000),
      durationSeconds: 8 + Math.floor(random() * 80),
    };
    return { ...reel, ...plan.change?.(reel, madeUpReel) };
  });
}

/** A quarter of the reels, anywhere in time, are posted in the evening and get so many times the views. */
export function anEveningAccount(times: number, reels = 80): AccountPlan {
  let left = reels / 4;
  return {
    reels,
    hour: (index, random) => {
      if (random() * (reels - index) >= left) return 6 + Math.floor(random() * 12);
      left -= 1;
      return 18 + Math.floor(random() * 6);
    },
    factor: ({ hour }) => (hour >= 18 ? times : 1),
  };
}

/** The comparisons of reels; none where they can't be compared. */
export function compare(reels: readonly SeenReel[]): Comparison[] {
  const sample = sampleOf(reels, collectedAt);
  const context = { traits: traitsOf(reels, "UTC"), handle: "made.up", timezone: "UTC", collectedAt };
  return "counted" in sample ? comparisonsOf(sample, engagementOf(reels), context) : [];
}
