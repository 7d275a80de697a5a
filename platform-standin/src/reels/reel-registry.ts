import { shareIdOf } from "./share-links.ts";
import { mediaIdOfCode } from "./shortcode.ts";
import type { StandinReel } from "./standin-reel.ts";

/** The posts that the stand-in knows, by every id that a caller may come with. */
export interface ReelRegistry {
  readonly list: readonly StandinReel[];
  add(reel: StandinReel): void;
  byCode(code: string): StandinReel | undefined;
  byMediaId(mediaId: string): StandinReel | undefined;
  byShareId(id: string): StandinReel | undefined;
  /** Other posts for a page to show beside this one: the account's own first. */
  neighborsOf(reel: StandinReel): readonly StandinReel[];
}

const mostNeighbors = 12;

const isPlain = ({ availability, wall, media }: StandinReel): boolean =>
  availability === "public" && !wall && media.every(({ type, isWhole }) => type === "video" && isWhole);

export function createReelRegistry(reels: readonly StandinReel[]): ReelRegistry {
  const list: StandinReel[] = [];
  const byMediaId = new Map<string, StandinReel>();
  const byShareId = new Map<string, StandinReel>();
  const add = (reel: StandinReel) => {
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
    byCode: (code) => (/^[A-Za-z0-9_-]{1,64}$/.test(code) ? byMediaId.get(mediaIdOfCode(code)) : undefined),
    byShareId: (id) => byShareId.get(id),
    neighborsOf(reel) {
      const others = list.filter((other) => other !== reel && isPlain(other));
      const isOwn = ({ owner }: StandinReel): boolean => owner.username === reel.owner.username;
      return [...others.filter(isOwn), ...others.filter((other) => !isOwn(other))].slice(0, mostNeighbors);
    },
  };
}
