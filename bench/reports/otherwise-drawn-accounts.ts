import type { ReelCollection } from "@reelscript/contract";
import { numbers } from "../statistics.ts";

const day = 86_400_000;
const collectedAt = Date.parse("2026-11-20T10:00:00Z");
const themes = "receta pan viaje gatos moda libros plantas futbol cocina musica arte montaña playa café".split(" ");
const chatter = "muy rico siempre nuevo poco bonito facil gran mejor lindo puro claro suave verde alto".split(" ");
const zones = ["Asia/Kolkata", "America/Sao_Paulo", "Europe/Madrid", "America/New_York", "Asia/Ho_Chi_Minh"];

/** Settings of accounts that are drawn together. */
interface World {
  /** Factor on the size of all effects. */
  readonly effects: number;
  /** Standard deviation of the slow change of the level. */
  readonly wander: number;
  /** Chance of a sudden change of the level, and its mean size. */
  readonly breaks: number;
  readonly breakSize: number;
  /** Standard deviation by which the effects themselves change slowly, as a share of them. */
  readonly fading: number;
  readonly fewestPosts: number;
  readonly mostPosts: number;
}

export const worlds = {
  usual: { effects: 1, wander: 0.35, breaks: 0.4, breakSize: 0.5, fading: 0.6, fewestPosts: 40, mostPosts: 220 },
  small: { effects: 1, wander: 0.35, breaks: 0.5, breakSize: 0.7, fading: 0.6, fewestPosts: 40, mostPosts: 80 },
  noise: { effects: 0, wander: 0, breaks: 0, breakSize: 0, fading: 0, fewestPosts: 40, mostPosts: 220 },
} satisfies Record<string, World>;

/**
 * Draws an account by other distributions than `drawAccount`, which the thresholds were chosen on: effects are Laplace and fade slowly instead of ending, length is
 * continuous with a slope or an optimum, hours follow a wave, the level wanders over days with a yearly season and sudden
 * breaks, and some posts go viral.
 */
export function drawOtherwise(seed: number, world: World): ReelCollection {
  const next = numbers(seed * 104_729 + 71);
  for (let warm = 0; warm < 30; warm += 1) next();
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const exponential = (): number => -Math.log(1 - next());
  const laplace = (scale: number): number => world.effects * scale * exponential() * (next() < 0.5 ? -1 : 1);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!;
  const posts = Math.round(world.fewestPosts * (world.mostPosts / world.fewestPosts) ** next());
  const handle = `otra.cuenta${seed}`;
  const first = Math.floor(next() * themes.length);
  const pillars = Array.from({ length: 2 + Math.floor(4 * next()) }, (_, index) => ({
    word: themes[(first + index) % themes.length]!,
    tagged: next() < 0.6,
    weight: exponential(),
    effect: laplace(0.2),
    length: 3.2 + 0.4 * normal(),
    warmth: laplace(0.1),
  }));
  const hasOptimum = next() < 0.3;
  const lengthSlope = laplace(0.22);
  const lengthBest = 3.2 + 0.5 * normal();
  const hourWave = laplace(0.15);
  const hourPeak = 24 * next();
  const tagSlope = laplace(0.1);
  const anyTag = laplace(0.15);
  const question = laplace(0.08);
  const weekend = laplace(0.06);
  const pauseSlope = laplace(0.03);
  const lengthWarmth = laplace(0.14);
  const tagWarmth = laplace(0.05);
  const peaks = Array.from({ length: 1 + Math.floor(3 * next()) }, () => 6 + 17 * next());
  const tags = next() < 0.25 ? 0 : 7 * next();
  const spread = 0.55 + 0.5 * next();
  const viral = 0.02 + 0.08 * next();
  const echo = 0.3 * next();
  const perDay = Math.exp(-0.6 + 0.7 * normal());
  const batch = next() < 0.3 ? 3 : 1;
  const reach = 7 + 2 * normal();
  const season = 0.25 * next();
  const seasonStart = 365 * next();
  const hidesComments = next() < 0.2;
  const breakAt = next() < world.breaks ? next() : 2;
  const breakBy = world.breakSize * exponential() * (next() < 0.5 ? -1 : 1);
  const warmBreak = next() < world.breaks ? next() : 2;
  const warmBy = 0.6 * world.breakSize * exponential() * (next() < 0.5 ? -1 : 1);
  let days = 0;
  let level = world.wander * normal();
  let fade = world.fading * normal();
  let before = 0;
  const rows = Array.from({ length: posts }, (_, index) => {
    const pause = index % batch === 0 ? (batch * exponential()) / perDay : 0.02;
    days += pause;
    const memory = Math.exp(-pause / 60);
    level = memory * level + Math.sqrt(1 - memory ** 2) * world.wander * normal();
    fade = memory * fade + Math.sqrt(1 - memory ** 2) * world.fading * normal();
    const lasting = 1 + fade;
    const pillar = choose(pillars, next());
    const hour = (((pick(peaks) + 1.6 * normal()) % 24) + 24) % 24;
    const date = Math.floor(days);
    const length = pillar.length + 0.45 * normal();
    const asks = next() < 0.15;
    const count = Math.max(0, Math.round(tags + 1.8 * normal()));
    const names = [...(pillar.tagged ? [pillar.word] : []), "fyp", handle.replace(".", ""), ...chatter].slice(0, count);
    const caption = [
      asks ? `¿Te gusta ${pillar.word}?` : `${pick(chatter)} ${pillar.word} ${pick(chatter)}.`,
      ...Array.from({ length: Math.floor(8 * next()) }, () => pick(chatter)),
      ...names.map((name) => `#${name}`),
    ].join(" ");
    const ownLuck = spread * normal() + (next() < viral ? 1 + 1.2 * exponential() : 0);
    const luck = ownLuck + echo * before;
    before = ownLuck;
    const at = index / posts;
    const log =
      reach +
      level +
      season * Math.sin((2 * Math.PI * (days + seasonStart)) / 365) +
      (at > breakAt ? breakBy : 0) +
      luck +
      lasting *
        (pillar.effect +
          (hasOptimum ? -Math.abs(lengthSlope) * (length - lengthBest) ** 2 : lengthSlope * (length - 3.2)) +
          hourWave * Math.cos((2 * Math.PI * (hour - hourPeak)) / 24) +
          tagSlope * Math.log1p(names.length) +
          anyTag * Number(names.length > 0) +
          question * Number(asks) +
          pauseSlope * Math.log(pause + 0.05)) +
      weekend * Number(date % 7 > 4);
    const views = Math.round(Math.exp(Math.min(17, Math.max(2, log))));
    const rate =
      0.06 *
      Math.exp(
        0.35 * normal() +
          pillar.warmth +
          lengthWarmth * (length - 3.2) +
          tagWarmth * names.length ** 0.5 +
          (at > warmBreak ? warmBy : 0) -
          0.1 * (log - reach),
      );
    const likes = Math.min(views, Math.round(views * rate));
    return { date, hour, caption, views, likes, seconds: Math.max(3, Math.round(Math.exp(length))) };
  });
  const start = Math.floor((collectedAt - (Math.ceil(days) + 6) * day) / day) * day;
  const isTiktok = next() < 0.5;
  return {
    handle,
    timezone: pick(zones),
    collectedAt: new Date(collectedAt).toISOString(),
    reels: rows.map(({ date, hour, caption, views, likes, seconds }, index) => ({
      url: isTiktok
        ? `https://www.tiktok.com/@${handle}/video/7${String(seed * 1000 + index).padStart(18, "0")}`
        : `https://www.instagram.com/reel/Q${seed}y${index}/`,
      caption,
      views,
      likes,
      ...(hidesComments ? {} : { comments: Math.min(views, Math.round(likes * 0.04)) }),
      postedAt: new Date(start + date * day + Math.round(hour * 3_600_000) + index).toISOString(),
      durationSeconds: seconds,
    })),
  };
}

function choose<Item extends { readonly weight: number }>(items: readonly Item[], part: number): Item {
  let left = part * items.reduce((sum, { weight }) => sum + weight, 0);
  for (const item of items) {
    left -= item.weight;
    if (left <= 0) return item;
  }
  return items.at(-1)!;
}
