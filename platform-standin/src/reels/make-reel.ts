import { readFile } from "node:fs/promises";
import type { MediaFault } from "../doors/media-fault.ts";
import { codeMintedAt, mediaIdOfCode } from "./shortcode.ts";
import type { StandinReel } from "./standin-reel.ts";
import { ownerOf, storedFile, takenAtOfMediaId } from "./stored-reels.ts";
import { allDoors, type Door, type WallName } from "../doors/wall.ts";

/** A reel that a test brings along. Everything but the media may be left out. */
export interface AddedReel {
  /** 10, 11 or 39 characters; else the next free one. */
  readonly code?: string;
  /** The video: a file, or its bytes. */
  readonly mediaPath?: string;
  readonly bytes?: Buffer;
  readonly caption?: string | null;
  readonly handle?: string;
  readonly fullName?: string;
  readonly language?: string;
  readonly text?: string;
  /** What the platform says of the video; the file may be otherwise. */
  readonly seconds?: number;
  readonly hasAudio?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly likes?: number | null;
  readonly comments?: number;
  /** When it was posted; the code follows from it. */
  readonly postedAt?: Date;
  readonly views?: number | null;
  readonly plays?: number | null;
  readonly availability?: StandinReel["availability"];
  readonly wall?: WallName;
  /** Doors behind the wall; all of them unless said. */
  readonly wallDoors?: readonly Door[];
  readonly fault?: MediaFault;
}

const firstAddedAt = Date.UTC(2025, 0, 1);

export function makeReel(added: AddedReel, sequence: number): StandinReel {
  const { bytes, mediaPath } = added;
  if (bytes === undefined && mediaPath === undefined) throw new Error("a reel needs mediaPath or bytes");
  const code = added.code ?? codeMintedAt(added.postedAt?.getTime() ?? firstAddedAt + sequence * 60_000, sequence);
  const mediaId = mediaIdOfCode(code);
  const handle = added.handle ?? "added.reels";
  return {
    code,
    mediaId,
    kind: "added",
    note: "added by a test",
    language: added.language ?? "und",
    text: added.text ?? "",
    seconds: added.seconds ?? 10,
    origin: "added by a test",
    license: "unknown",
    owner: { ...ownerOf(handle, added.fullName ?? handle), private: added.availability === "private" },
    coauthors: [],
    caption: added.caption === undefined ? "An added reel" : added.caption,
    likes: added.likes === undefined ? 10 : added.likes,
    comments: added.comments ?? 1,
    views: added.views === undefined ? 100 : added.views,
    plays: added.plays === undefined ? 120 : added.plays,
    takenAt: takenAtOfMediaId(mediaId),
    music: null,
    availability: added.availability ?? "public",
    media: [
      {
        type: "video",
        load: async () => bytes ?? (await readFile(mediaPath ?? "")),
        poster: () => readFile(storedFile("en-austen", "jpg")),
        seconds: added.seconds ?? 10,
        hasAudio: added.hasAudio ?? true,
        width: added.width ?? 360,
        height: added.height ?? 640,
        isWhole: added.fault === undefined,
        ...(added.fault ? { fault: added.fault } : {}),
      },
    ],
    ...(added.wall ? { wall: { name: added.wall, doors: added.wallDoors ?? allDoors } } : {}),
  };
}
