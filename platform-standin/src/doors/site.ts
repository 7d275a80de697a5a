import type { HeldShares } from "./hold-shares.ts";
import type { MediaLinks } from "../reels/media-links.ts";
import type { ReelRegistry } from "../reels/reel-registry.ts";
import type { RequestCounters } from "./request-counters.ts";
import type { Wall } from "./wall.ts";

export interface Site {
  readonly registry: ReelRegistry;
  readonly counters: RequestCounters;
  readonly links: MediaLinks;
  /** Known once each server is listening. */
  readonly origins: Record<"pages" | "media" | "tiktok" | "forbidden", string>;
  /** Queries with another token are refused. */
  token: string;
  /** Applies to the whole platform and takes precedence over those of single reels. */
  wall: Wall | undefined;
  /** Holds back the answers to share links. */
  shares: HeldShares | undefined;
}
