import type { StandinReel } from "./standin-reel.ts";
import { readStoredReels, toStandinReel } from "./stored-reels.ts";

/** Every reel of the stand-in: the stored ones, then those that stand for a wall, a failure or an odd form. */
export function readReelTable(): StandinReel[] {
  return readStoredReels().map(toStandinReel);
}
