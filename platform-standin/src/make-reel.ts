import { readFile } from "node:fs/promises";
import type { MediaFault } from "./media-fault.ts";
import { codeMintedAt, mediaIdOfCode } from "./shortcode.ts";
import type { StandinReel } from "./standin-reel.ts";
import { ownerOf, storedFile, takenAtOfMediaId } from "./stored-reels.ts";
import { allDoors, type Door, type WallName } from "./wall.ts";

/** A reel that a test brings along. Everything but the media may be left out. */
export interface AddedReel {
  /** 10, 11 or 39 characters; else the next free one. */
  code?: string;
  /** The video: a file, or its bytes. */
  mediaPath?: string;
  bytes?: Buffer;
  caption?: string | null;
  handle?: string;
  fullName?: string;
  language?: string;
  text?: string;
  /** What the platform says of the video; the file may be otherwise. */
  seconds?: number;
  hasAudio?: boolean;
  width?: number;
  height?: number;
  likes?: number | null;
  comments?: number;
  views?: number | null;
  plays?: number | null;
  availability?: StandinReel["availability"];
  wall?: WallName;
  /** Doors behind the wall; all of them unless said. */
  wallDoors?: readonly Door[];
  fault?: MediaFault;
}

const firstAddedAt = Date.UTC(2025, 0, 1);

export function makeReel(added: AddedReel, sequence: number): StandinReel {
  const { bytes, mediaPath } = added;
  if (bytes === undefined && mediaPath === undefined) throw new Error("a reel needs mediaPath or bytes");
  const code = added.code ?? codeMintedAt(firstAddedAt + sequence * 60_000, sequence);
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
    licence: "unknown",
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
        ...(added.fault ? { fault: added.fault } : {}),
      },
    ],
    ...(added.wall ? { wall: { name: added.wall, doors: added.wallDoors ?? allDoors } } : {}),
  };
}
