import { readReelTable } from "./reels/reel-table.ts";
import { reelUrl } from "./reels/reel-url.ts";

/** One JSON line per reel, as `--list` prints them. */
export function listReels(origin: string): string {
  return readReelTable()
    .map((reel) => {
      const { kind, language, text, seconds, license } = reel;
      return `${JSON.stringify({ url: reelUrl(origin, reel), kind, language, text, seconds, origin: reel.origin, license })}\n`;
    })
    .join("");
}
