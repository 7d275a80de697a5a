import { readReelTable } from "./reel-table.ts";
import { reelUrl } from "./reel-url.ts";

/** One JSON line per reel, as `--list` prints them. */
export function listReels(origin: string): string {
  return readReelTable()
    .map((reel) => {
      const { kind, language, text, seconds, licence } = reel;
      return `${JSON.stringify({ url: reelUrl(origin, reel), kind, language, text, seconds, origin: reel.origin, licence })}\n`;
    })
    .join("");
}
