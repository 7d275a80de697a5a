import type { ReelCollection } from "@reelscript/contract";
import { reelNamedBy } from "@reelscript/contract/values";

type CollectedReel = ReelCollection["reels"][number];

/** A reel as it was seen; `null` is not known. */
export interface SeenReel {
  /** The URL without parameters that only track the reader. */
  readonly url: string;
  readonly caption: string | null;
  readonly views: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
  readonly postedAt: Date | null;
  readonly durationSeconds: number | null;
}

/**
 * Each reel once, whatever the order and however often it was collected: known values win over unknown ones, and of two
 * counts the higher, which was read later. A date after `collectedAt` is not believed.
 */
export function mergeReels(reels: readonly CollectedReel[], collectedAt: Date): SeenReel[] {
  const byKey = new Map<string, SeenReel>();
  for (const reel of reels) {
    const { key, url } = identify(reel.url);
    const seen = see(reel, url, collectedAt);
    const before = byKey.get(key);
    byKey.set(key, before ? merge(before, seen) : seen);
  }
  return [...byKey.keys()].toSorted().map((key) => byKey.get(key)!);
}

function identify(text: string): { key: string; url: string } {
  const named = reelNamedBy(text);
  if (named !== undefined) return named;
  // Elsewhere the query may be what names the reel.
  const url = new URL(text);
  url.username = url.password = url.hash = "";
  const host = url.host.replace(/^www\./, "");
  return { key: `${host}${url.pathname.replace(/(?<!\/)\/+$/, "")}${url.search}`, url: url.href };
}

function see(reel: CollectedReel, url: string, collectedAt: Date): SeenReel {
  const postedAt = reel.postedAt == null ? null : new Date(reel.postedAt);
  return {
    url,
    caption: reel.caption ?? null,
    views: reel.views ?? null,
    likes: reel.likes ?? null,
    comments: reel.comments ?? null,
    postedAt: postedAt !== null && postedAt <= collectedAt ? postedAt : null,
    durationSeconds: reel.durationSeconds ?? null,
  };
}

function merge(one: SeenReel, other: SeenReel): SeenReel {
  return {
    url: one.url < other.url ? one.url : other.url,
    caption: best(one.caption, other.caption, isFuller),
    views: best(one.views, other.views, isMore),
    likes: best(one.likes, other.likes, isMore),
    comments: best(one.comments, other.comments, isMore),
    postedAt: best(one.postedAt, other.postedAt, (left, right) => left < right),
    durationSeconds: best(one.durationSeconds, other.durationSeconds, isMore),
  };
}

/** The order of the two must not matter, or two reports of the same reels would differ. */
function best<Value>(one: Value | null, other: Value | null, wins: (one: Value, other: Value) => boolean) {
  if (one === null || other === null) return one ?? other;
  return wins(one, other) ? one : other;
}

const isMore = (one: number, other: number): boolean => one > other;
const isFuller = (one: string, other: string): boolean =>
  one.length === other.length ? one < other : one.length > other.length;
