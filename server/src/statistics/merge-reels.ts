import { earliestMoment, longestCaption, longestVideo, type ReelCollection } from "@reelscript/contract";
import { nameOfAddress, type PlatformName } from "@reelscript/contract/values";

type CollectedReel = ReelCollection["reels"][number];

/** A reel as it was seen; `null` means unknown. */
export interface SeenReel {
  /** The URL without parameters that only track the reader. */
  readonly url: string;
  readonly platform: PlatformName | null;
  readonly caption: string | null;
  readonly views: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
  readonly postedAt: Date | null;
  readonly durationSeconds: number | null;
  /** Its transcript, empty without speech; absent if nobody has transcribed it. */
  readonly spoken?: string;
}

type SeenValue = "caption" | "views" | "likes" | "comments" | "postedAt" | "durationSeconds";

export interface MergedReels {
  readonly reels: readonly SeenReel[];
  /** Reels with a value out of range, which counts as unknown. */
  readonly unknownValues: Partial<Record<SeenValue, number>>;
  /** Reels with more likes or comments than views, which is impossible: these counts are unknown. */
  readonly aboveViews: Partial<Record<"likes" | "comments", number>>;
}

/**
 * Each reel once, whatever the order and however often it was collected: known values replace unknown ones, and of two counts
 * the higher one wins, because it was read later. A value out of range is treated as unknown and counted; the rest of its reel
 * counts. `spoken` has what is said in some reels, by their URLs.
 */
export function mergeReels(
  reels: readonly CollectedReel[],
  collectedAt: Date,
  spoken: Readonly<Record<string, string>> = {},
): MergedReels {
  const byKey = new Map<string, SeenReel>();
  const unknown = new Map<SeenValue, Set<string>>();
  for (const reel of reels) {
    const { key, url, platform = null } = nameOfAddress(reel.url);
    const inRange = <Value>(name: SeenValue, value: Value | null | undefined, isIn: (value: Value) => boolean) => {
      if (value == null) return null;
      if (isIn(value)) return value;
      unknown.set(name, (unknown.get(name) ?? new Set()).add(key));
      return null;
    };
    const postedAt = reel.postedAt == null ? null : new Date(reel.postedAt);
    const seen: SeenReel = {
      url,
      platform,
      caption: inRange("caption", reel.caption, ({ length }) => length <= longestCaption),
      views: inRange("views", reel.views, isCount),
      likes: inRange("likes", reel.likes, isCount),
      comments: inRange("comments", reel.comments, isCount),
      postedAt: inRange("postedAt", postedAt, (at) => at.getTime() >= earliestMoment && at <= collectedAt),
      durationSeconds: inRange("durationSeconds", reel.durationSeconds, (time) => time >= 0 && time <= longestVideo),
      ...(Object.hasOwn(spoken, reel.url) && { spoken: spoken[reel.url]! }),
    };
    const before = byKey.get(key);
    byKey.set(key, before ? merge(before, seen) : seen);
  }
  const names = [...unknown.keys()].toSorted();
  const merged = [...byKey.keys()].toSorted().map((key) => byKey.get(key)!);
  const isAbove = (count: number | null, { views }: SeenReel): boolean =>
    count !== null && views !== null && count > views;
  const above = (["likes", "comments"] as const).map(
    (name) => [name, merged.filter((reel) => isAbove(reel[name], reel)).length] as const,
  );
  return {
    reels: merged.map((reel) => ({
      ...reel,
      likes: isAbove(reel.likes, reel) ? null : reel.likes,
      comments: isAbove(reel.comments, reel) ? null : reel.comments,
    })),
    aboveViews: Object.fromEntries(above.filter(([, count]) => count > 0)),
    unknownValues: Object.fromEntries(names.map((name) => [name, unknown.get(name)!.size])),
  };
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function merge(one: SeenReel, other: SeenReel): SeenReel {
  const spoken = best(one.spoken ?? null, other.spoken ?? null, isFuller);
  return {
    ...(spoken !== null && { spoken }),
    url: one.url < other.url ? one.url : other.url,
    platform: one.platform ?? other.platform,
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
