import type { MediaLinks } from "../reels/media-links.ts";
import type { StandinReel } from "../reels/standin-reel.ts";

/** What the doors know besides the request. */
export interface DoorContext {
  /** Queries with another token are turned away. */
  readonly token: string;
  readonly links: MediaLinks;
  readonly byMediaId: (mediaId: string) => StandinReel | undefined;
  readonly byCode: (code: string) => StandinReel | undefined;
  /** A dozen other posts in its page. */
  readonly neighborsOf: (reel: StandinReel) => readonly StandinReel[];
}
