import type { ReelCollection } from "@reelscript/contract";
import { numbers } from "../statistics.ts";

type Collected = ReelCollection["reels"][number];

const day = 86_400_000;
const collectedAt = Date.parse("2026-11-20T10:00:00Z");
/** The newest drawn post is this old, so that its counts have settled. */
const newestDays = 5;
const pillarWords =
  "soup bread garden travel workout budget coffee puppy guitar makeup camera hiking dumplings vintage math chess plants sewing surfing pasta".split(
    " ",
  );
const fillers =
  "today again really maybe simple fresh early little great quiet lovely better quick warm bright slow honest fair rare plain".split(
    " ",
  );

interface Chance {
  readonly next: () => number;
  readonly normal: () => number;
  /** A normal number whose tails are heavier: Student's t with 4 degrees of freedom, of variance 1. */
  readonly heavy: () => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
}

function chanceOf(seed: number): Chance {
  const next = numbers(seed);
  for (let warm = 0; warm < 20; warm += 1) next();
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    normal,
    heavy: () =>
      normal() / Math.sqrt(Array.from({ length: 4 }, normal).reduce((sum, one) => sum + one ** 2, 0) / 4) / Math.SQRT2,
    pick: (items) => items[Math.floor(next() * items.length)]!,
  };
}

/** An effect on log views that may end, begin or turn at some time: `at` is the share of the account's posts so far. */
type Effect = (at: number) => number;

/** Most effects are next to nothing, some are large; two of three don't last. */
function effectOf({ next, normal }: Chance, largeShare: number, large: number): Effect {
  const size = next() < largeShare ? large * normal() : 0.06 * normal();
  const turn = next() < 0.65 ? next() : undefined;
  const later = next() < 0.4 ? -size : 0;
  return (at) => (turn !== undefined && at > turn ? later : size);
}

/** The habits of an account in one stretch of its posts. */
interface Habits {
  readonly level: number;
  /** The spread of engagement, on the logarithm. */
  readonly warmth: number;
  readonly longShare: number;
  readonly hours: readonly [number, number];
  readonly secondShare: number;
  readonly hashtags: number;
  readonly pillarShares: readonly number[];
}

function habitsOf({ next, normal, pick }: Chance, before: Habits | undefined, pillars: number): Habits {
  const hour = (): number => Math.min(23, Math.max(0, Math.round(pick([8, 12, 18, 20]) + 1.5 * normal())));
  const keeps = before !== undefined && next() < 0.4;
  return {
    level: before === undefined ? 0 : before.level + 0.3 * normal(),
    warmth: before === undefined ? 0 : before.warmth + 0.2 * normal(),
    longShare: keeps ? before.longShare : next(),
    hours: keeps ? before.hours : [hour(), hour()],
    secondShare: keeps ? before.secondShare : 0.5 * next(),
    hashtags: keeps ? before.hashtags : Math.floor(8 * next() ** 1.5),
    pillarShares: keeps ? before.pillarShares : Array.from({ length: pillars }, () => next() ** 2 + 0.02),
  };
}

/** All effects of an account. */
function effectsOf(chance: Chance, pillars: number) {
  return {
    long: effectOf(chance, 0.3, 0.5),
    evening: effectOf(chance, 0.15, 0.4),
    hashtags: effectOf(chance, 0.2, 0.3),
    pillars: Array.from({ length: pillars }, () => effectOf(chance, 0.15, 0.5)),
    question: effectOf(chance, 0.05, 0.3),
    longEngagement: effectOf(chance, 0.4, 0.3),
    weekend: 0.08 * chance.normal(),
  };
}

interface Post {
  readonly at: number;
  readonly chance: Chance;
  readonly habits: Habits;
  readonly pillar: number;
  readonly words: readonly string[];
}

function captionOf({ chance: { next, pick }, habits, pillar, words }: Post, handle: string): string {
  const isQuestion = next() < 0.2;
  const opening = isQuestion
    ? `Do you like ${words[pillar]}?`
    : next() < 0.15
      ? `${2 + Math.floor(next() * 9)} ways to ${words[pillar]}.`
      : `${next() < 0.2 ? "My" : "The"} ${pick(fillers)} ${words[pillar]}.`;
  const body = Array.from({ length: Math.floor(12 * next()) }, () => pick(fillers)).join(" ");
  const count = Math.max(0, Math.round(habits.hashtags + 1.5 * (next() - 0.5) * (1 + habits.hashtags / 3)));
  const tags = [`#${words[pillar]}`, `#${handle}`, "#fyp", ...fillers.map((filler) => `#${filler}`)].slice(0, count);
  return [opening, body, ...tags].join(" ").trim();
}

/**
 * Draws an account: log views with heavy tails, luck that lasts, a level that drifts and jumps, bursts, a weekly season, habits
 * that change with the level, and effects of which most are nothing and some don't last.
 */
export function drawAccount(seed: number): ReelCollection {
  const chance = chanceOf(seed * 7_919 + 13);
  const { next, normal, heavy } = chance;
  const posts = Math.round(Math.min(400, Math.max(40, 85 * Math.exp(0.45 * normal()))));
  const handle = `drawn${seed}`;
  const first = Math.floor(next() * pillarWords.length);
  const words = Array.from(
    { length: 3 + Math.floor(4 * next()) },
    (_, index) => pillarWords[(first + index) % pillarWords.length]!,
  );
  const effects = effectsOf(chance, words.length);
  const spread = 0.85 * Math.exp(0.3 * normal());
  const memory = 0.35 * next();
  const drift = 0.08 * next();
  const reach = Math.exp(9 + 1.8 * normal());
  const burstEvery = 40 + 120 * next();
  const pause = Math.exp(0.3 + 0.8 * normal());
  let habits = habitsOf(chance, undefined, words.length);
  let luck = normal();
  let wander = 0;
  let burst = 0;
  let days = 0;
  const reels = Array.from({ length: posts }, (_, index): Collected & { days: number } => {
    const at = index / posts;
    if (next() < 1 / 28) habits = habitsOf(chance, habits, words.length);
    if (next() < 1 / burstEvery) burst = 1.2 * next() + 0.5;
    burst *= 0.88;
    wander += drift * normal();
    luck = memory * luck + Math.sqrt(1 - memory ** 2) * heavy();
    days += -pause * Math.log(1 - next());
    const pillar = drawIndex(habits.pillarShares, next());
    const caption = captionOf({ at, chance, habits, pillar, words }, handle);
    const isLong = next() < habits.longShare;
    const hour = (habits.hours[next() < habits.secondShare ? 1 : 0] + Math.round(normal()) + 24) % 24;
    const isWeekend = Math.floor(days) % 7 > 4;
    const hashtags = caption.split("#").length - 1;
    const log =
      Math.log(reach) +
      habits.level +
      wander +
      burst +
      spread * luck +
      effects.weekend * Number(isWeekend) +
      effects.long(at) * (Number(isLong) - 0.5) +
      effects.evening(at) * Number(hour >= 18) +
      effects.hashtags(at) * Math.log1p(hashtags) +
      effects.pillars[pillar]!(at) +
      effects.question(at) * Number(caption.startsWith("Do you"));
    const views = Math.round(Math.exp(Math.min(18, log)));
    const rate =
      0.05 *
      Math.exp(
        habits.warmth + 0.42 * normal() + effects.longEngagement(at) * (Number(isLong) - 0.5) - 0.05 * log + 0.45,
      );
    return {
      days: Math.floor(days) + (hour + next()) / 24,
      url: `https://www.instagram.com/reel/D${seed}x${index}/`,
      caption,
      views,
      likes: Math.min(views, Math.round(views * rate)),
      comments: Math.round(views * rate * 0.03),
      durationSeconds: Math.round((isLong ? 45 : 14) * Math.exp(0.3 * normal())),
    };
  });
  const last = Math.ceil(days) + newestDays;
  const start = Math.floor((collectedAt - last * day) / day) * day;
  return {
    handle,
    timezone: "UTC",
    collectedAt: new Date(collectedAt).toISOString(),
    reels: reels.map(({ days: after, ...reel }) => ({
      ...reel,
      postedAt: new Date(start + after * day).toISOString(),
    })),
  };
}

function drawIndex(shares: readonly number[], part: number): number {
  let left = part * shares.reduce((sum, share) => sum + share, 0);
  for (const [index, share] of shares.entries()) {
    left -= share;
    if (left <= 0) return index;
  }
  return shares.length - 1;
}
