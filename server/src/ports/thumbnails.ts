import type { ReelIdentity } from "./reels.ts";

/** A small picture: WebP without metadata. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type PictureSize = Pick<Picture, "width" | "height">;

/** Gets pictures of reels from their platforms. */
export interface PictureSource {
  /**
   * What the platform shows at `url`, redrawn at most 640 pixels wide and high. Asks the platform's own hosts only.
   * Throws when it cannot be had or is no picture; what it throws is for the log.
   */
  fetch(platform: string, url: string): Promise<Picture>;
}

/** One picture of each reel that was resolved here; it never changes. */
export interface Thumbnails {
  find(reel: ReelIdentity): Promise<PictureSize | undefined>;
  read(reel: ReelIdentity): Promise<Picture | undefined>;
  /** A reel keeps its first picture; the size of the one that is kept. */
  keep(reel: ReelIdentity, picture: Picture, now: Date): Promise<PictureSize>;
}
