import { mostReels, type CollectedReel, type Collecting, type CollectTrouble } from "../messages/page-messages.ts";
import { placeOf } from "../platform/place.ts";
import type { SeenReel } from "../platform/seen-reel.ts";
import type { ReelMemory } from "./reel-memory.ts";

/** The reels of one profile, as far as its page has loaded them. */
export interface Collection {
  readonly handle: string;
  /** Codes that the page showed in its grid, however it loads them. */
  readonly shown: Set<string>;
  state: Collecting["state"];
  trouble: CollectTrouble | null;
  idle: number;
}

export function reelsOf({ handle, shown }: Collection, memory: ReelMemory): SeenReel[] {
  const mine = [...memory.all()].filter(
    (reel) => reel.handle === handle || (reel.handle === null && shown.has(reel.code)),
  );
  return mine.slice(0, mostReels);
}

export const reportableReels = (collection: Collection, memory: ReelMemory): CollectedReel[] =>
  reelsOf(collection, memory).map(({ code, caption, views, likes, comments, takenAt, mintedAt, seconds }) => ({
    code,
    caption,
    views,
    likes,
    comments,
    // Reports count by days and hours.
    takenAt: takenAt ?? mintedAt,
    seconds,
  }));

/** Why collecting cannot continue right now. */
export function hindranceOf({ handle }: Collection, memory: ReelMemory): CollectTrouble | undefined {
  if (location.pathname.startsWith("/accounts/login")) return "login";
  const place = placeOf(new URL(location.href));
  if (place.kind !== "profile" || place.handle !== handle) return "left";
  return navigator.onLine ? memory.wall() : "offline";
}

/** What is wrong with a collection whose page has nothing more to load. */
export function shortfallOf(collection: Collection, memory: ReelMemory): CollectTrouble | null {
  const known = reelsOf(collection, memory).length;
  const unread = [...collection.shown].filter((code) => memory.get(code) === undefined).length;
  if (known === 0 && memory.isPrivate(collection.handle)) return "private";
  if (unread > known) return "drift";
  return known === 0 ? "empty" : null;
}
