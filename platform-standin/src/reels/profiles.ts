import type { StandinReel } from "./standin-reel.ts";
import { ownerOf } from "./stored-reels.ts";

export interface StandinProfile {
  readonly id: string;
  readonly handle: string;
  readonly isPrivate: boolean;
  /** Newest first. */
  readonly reels: readonly StandinReel[];
}

/** The accounts of the stand-in: who posted a reel, and those that a test adds. */
export function createProfiles(reels: readonly StandinReel[]) {
  const added = new Map<string, boolean>();
  return {
    add: (handle: string, isPrivate: boolean): void => void added.set(handle, isPrivate),
    of(handle: string): StandinProfile | undefined {
      const mine = reels.filter(({ owner, availability }) => owner.username === handle && availability !== "deleted");
      if (mine.length === 0 && !added.has(handle)) return undefined;
      return {
        id: ownerOf(handle, handle).id,
        handle,
        isPrivate: added.get(handle) ?? mine.every(({ owner }) => owner.private),
        reels: mine
          .filter(({ availability }) => availability === "public")
          .toSorted((one, other) => other.takenAt - one.takenAt),
      };
    },
  };
}
