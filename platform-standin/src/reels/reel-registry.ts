import { instagramIdOf } from "@reelscript/contract/values";
import { shareIdOf } from "./share-links.ts";
import type { StandinReel } from "./standin-reel.ts";
import { ownerOf } from "./stored-reels.ts";

export interface StandinProfile {
  readonly id: string;
  readonly handle: string;
  readonly isPrivate: boolean;
  /** Newest first. */
  readonly reels: readonly StandinReel[];
}

/** The stand-in's posts, by every id that a caller may use, and its accounts. */
export interface ReelRegistry {
  /** In the order in which they were added. */
  readonly list: readonly StandinReel[];
  /** Throws if its code is taken. */
  add(reel: StandinReel): void;
  readonly byMediaId: (mediaId: string) => StandinReel | undefined;
  readonly byCode: (code: string) => StandinReel | undefined;
  readonly byShareId: (id: string) => StandinReel | undefined;
  /** At most 12 other posts to show on the page of this one, with the account's own first. */
  neighborsOf(reel: StandinReel): readonly StandinReel[];
  addProfile(handle: string, isPrivate: boolean): void;
  /** `undefined` for an unknown handle. */
  profileOf(handle: string): StandinProfile | undefined;
}

const mostNeighbors = 12;

const isPlain = ({ availability, wall, media }: StandinReel): boolean =>
  availability === "public" && !wall && media.every(({ type, isWhole }) => type === "video" && isWhole);

export function createReelRegistry(reels: readonly StandinReel[]): ReelRegistry {
  const list: StandinReel[] = [];
  const byMediaId = new Map<string, StandinReel>();
  const byShareId = new Map<string, StandinReel>();
  /** Accounts without reels; others are known by their reels. */
  const profiles = new Map<string, { readonly isPrivate: boolean }>();
  const add = (reel: StandinReel): void => {
    if (byMediaId.has(reel.mediaId)) throw new Error(`two reels of the code ${reel.code}`);
    list.push(reel);
    byMediaId.set(reel.mediaId, reel);
    byShareId.set(shareIdOf(reel.code), reel);
  };
  for (const reel of reels) add(reel);
  return {
    list,
    add,
    byMediaId: (mediaId) => byMediaId.get(mediaId),
    byCode: (code) => byMediaId.get(instagramIdOf(code) ?? ""),
    byShareId: (id) => byShareId.get(id),
    neighborsOf(reel) {
      const others = list.filter((other) => other !== reel && isPlain(other));
      const isOwn = ({ owner }: StandinReel): boolean => owner.username === reel.owner.username;
      return [...others.filter(isOwn), ...others.filter((other) => !isOwn(other))].slice(0, mostNeighbors);
    },
    addProfile: (handle, isPrivate) => void profiles.set(handle, { isPrivate }),
    profileOf(handle) {
      const mine = list.filter(({ owner, availability }) => owner.username === handle && availability !== "deleted");
      const added = profiles.get(handle);
      if (mine.length === 0 && added === undefined) return undefined;
      return {
        id: ownerOf(handle, handle).id,
        handle,
        isPrivate: added?.isPrivate ?? mine.every(({ owner }) => owner.private),
        reels: mine
          .filter(({ availability }) => availability === "public")
          .toSorted((one, other) => other.takenAt - one.takenAt),
      };
    },
  };
}
