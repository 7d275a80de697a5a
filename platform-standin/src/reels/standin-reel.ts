import type { MediaFault } from "../doors/media-fault.ts";
import type { Wall } from "../doors/wall.ts";

/** A video or picture of a post: the file that the platform's `video_url` and `display_url` lead to. */
export interface StandinMedia {
  readonly type: "video" | "photo";
  /** The bytes served for the video; called once, on the first request. */
  readonly load: () => Promise<Buffer>;
  readonly poster: () => Promise<Buffer>;
  readonly seconds: number;
  readonly hasAudio: boolean;
  readonly width: number;
  readonly height: number;
  readonly fault?: MediaFault | undefined;
  /** True if picture and sound are also available as separate files. */
  readonly isWhole: boolean;
}

export interface StandinOwner {
  readonly id: string;
  readonly username: string;
  readonly fullName: string;
  readonly verified: boolean;
  readonly private: boolean;
}

/** One post of the stand-in. `null` counts are hidden by their owner or not reported by the platform. */
export interface StandinReel {
  readonly code: string;
  readonly mediaId: string;
  /** The case that it tests: `speech`, `private`, `wall:pleaseWait`, ... */
  readonly kind: string;
  /** Describes what happens to a caller. */
  readonly note: string;
  readonly language: string;
  /** Spoken text, or "" if nobody speaks. */
  readonly text: string;
  readonly seconds: number;
  readonly origin: string;
  readonly license: string;
  readonly owner: StandinOwner;
  readonly coauthors: readonly StandinOwner[];
  readonly caption: string | null;
  readonly likes: number | null;
  readonly comments: number;
  readonly views: number | null;
  readonly plays: number | null;
  /** Seconds since 1970, shortly after the id was minted. */
  readonly takenAt: number;
  readonly music: { title: string; artist: string } | null;
  /** One for a reel or a photo, several for a carousel. */
  readonly media: readonly StandinMedia[];
  readonly availability:
    | "public"
    | "private"
    | "deleted"
    | "ageGated"
    | "regionGated"
    | "gatedWithoutReason"
    | "unknownToPage"
    | "unknownToQuery";
  /**
   * `bare`: without what has a substitute elsewhere. `unreadableSound`: in its manifest. `noEmbed`: its owner forbids
   * embedding.
   */
  readonly form?: "bare" | "unreadableSound" | "noEmbed" | undefined;
  readonly wall?: Wall | undefined;
}

/** True if visitors may see the post through any door. */
export const isShown = ({ availability }: StandinReel): boolean =>
  availability === "public" || availability === "unknownToPage" || availability === "unknownToQuery";
