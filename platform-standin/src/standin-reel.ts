import type { MediaFault } from "./media-fault.ts";
import type { Wall } from "./wall.ts";

/** A moving or still picture of a post: what the platform's `video_url` and `display_url` lead to. */
export interface StandinMedia {
  type: "video" | "photo";
  /** The bytes served for the video; asked once, on the first request. */
  load: () => Promise<Buffer>;
  poster: () => Promise<Buffer>;
  seconds: number;
  hasAudio: boolean;
  width: number;
  height: number;
  fault?: MediaFault;
}

export interface StandinOwner {
  id: string;
  username: string;
  fullName: string;
  verified: boolean;
  private: boolean;
}

/** One post of the stand-in. `null` counts are hidden by their owner or not told by the platform. */
export interface StandinReel {
  code: string;
  mediaId: string;
  /** What it is there for: `speech`, `private`, `wall:pleaseWait`, ... */
  kind: string;
  /** What a caller meets there. */
  note: string;
  language: string;
  /** What is said, or "" when nothing is. */
  text: string;
  seconds: number;
  origin: string;
  licence: string;
  owner: StandinOwner;
  coauthors: readonly StandinOwner[];
  caption: string | null;
  likes: number | null;
  comments: number;
  views: number | null;
  plays: number | null;
  /** Seconds since 1970, shortly after the id was minted. */
  takenAt: number;
  music: { title: string; artist: string } | null;
  /** One for a reel or a photo, several for a carousel. */
  media: readonly StandinMedia[];
  availability: "public" | "private" | "deleted" | "ageGated";
  wall?: Wall;
}
