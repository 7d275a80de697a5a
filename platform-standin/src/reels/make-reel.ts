import type { MediaFault } from "../doors/media-fault.ts";
import { allDoors, type Door, type WallName } from "../doors/wall.ts";
import { codeMintedAt, mediaIdOfCode } from "./shortcode.ts";
import type { StandinReel } from "./standin-reel.ts";
import { ownerOf, takenAtOfMediaId, videoUnder } from "./stored-reels.ts";

type OptionalField =
  | "language"
  | "text"
  | "seconds"
  | "caption"
  | "likes"
  | "comments"
  | "views"
  | "plays"
  | "availability";

/** A reel defined by a test. Everything but the video is optional. */
export interface AddedReel extends Partial<Pick<StandinReel, OptionalField>> {
  /** 10, 11 or 39 characters; the next free code by default. */
  readonly code?: string;
  /** The video. The platform's description of it may differ. */
  readonly bytes?: Buffer;
  readonly handle?: string;
  readonly fullName?: string;
  /** When it was posted; determines the code. */
  readonly postedAt?: Date;
  readonly wall?: WallName;
  /** Doors behind the wall; all of them by default. */
  readonly wallDoors?: readonly Door[];
  readonly fault?: MediaFault;
}

const firstAddedAt = Date.UTC(2025, 0, 1);

export function makeReel(added: AddedReel, sequence: number): StandinReel {
  const { bytes, postedAt, handle = "added.reels", fullName = handle, wall, wallDoors = allDoors, fault } = added;
  const { caption = "An added reel", likes = 10, comments = 1, views = 100, plays = 120 } = added;
  const { seconds = 10, availability = "public", language = "und", text = "" } = added;
  if (bytes === undefined) throw new Error("a reel needs bytes");
  const code = added.code ?? codeMintedAt(postedAt?.getTime() ?? firstAddedAt + sequence * 60_000, sequence);
  const mediaId = mediaIdOfCode(code);
  const video = { seconds, hasAudio: true, width: 360, height: 640, isWhole: fault === undefined, fault };
  return {
    kind: "added",
    note: "added by a test",
    origin: "added by a test",
    license: "unknown",
    language,
    text,
    coauthors: [],
    caption,
    likes,
    comments,
    views,
    plays,
    music: null,
    code,
    mediaId,
    seconds,
    owner: { ...ownerOf(handle, fullName), private: availability === "private" },
    takenAt: takenAtOfMediaId(mediaId),
    availability,
    media: [videoUnder("en-austen", { load: () => Promise.resolve(bytes), ...video })],
    wall: wall && { name: wall, doors: wallDoors },
  };
}
