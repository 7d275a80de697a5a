import type { MediaLinks } from "../reels/media-links.ts";
import type { ReelRegistry } from "../reels/reel-registry.ts";
import type { RequestCounters } from "./request-counters.ts";
import type { Wall } from "./wall.ts";

/** Shared by all doors. */
export interface Site {
  readonly registry: ReelRegistry;
  readonly counters: RequestCounters;
  readonly links: MediaLinks;
  /** Known once each server listens. */
  readonly origins: Record<"pages" | "media" | "tiktok" | "forbidden", string>;
  /** Queries with another token are turned away. */
  token: string;
  /** Around the whole platform, above those of single reels. */
  wall: Wall | undefined;
}
