import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { momentOfInstagramId } from "@reelscript/contract/values";
import { mediaIdOfCode } from "./shortcode.ts";
import type { StandinMedia, StandinOwner, StandinReel } from "./standin-reel.ts";

type StoredField = "code" | "kind" | "language" | "text" | "seconds" | "origin" | "license";
type Counted = "caption" | "likes" | "comments" | "views" | "plays" | "music";

/** A row of `reels/reels.json`. */
export interface StoredReel
  extends
    Pick<StandinReel, StoredField | Counted>,
    Pick<StandinMedia, "hasAudio" | "width" | "height">,
    Pick<StandinOwner, "fullName" | "verified"> {
  readonly name: string;
  readonly handle: string;
  /** Input of `scripts/make-sound.ts`. */
  readonly sound?: unknown;
}

const reelsFolder = new URL("../../reels/", import.meta.url);

/** Path of the mp4 (or the poster, a jpg) of a stored reel. */
export const storedFile = (name: string, ending: "mp4" | "jpg"): string =>
  fileURLToPath(new URL(`${name}.${ending}`, reelsFolder));

export function readStoredReels(): StoredReel[] {
  const table = new URL("reels.json", reelsFolder);
  if (!existsSync(table)) throw new Error("the table of the reels (reels/reels.json) is missing");
  return JSON.parse(readFileSync(table, "utf8")) as StoredReel[];
}

/** Makes the same account for the same handle: its id is derived from the letters. */
export function ownerOf(username: string, fullName: string, verified = false): StandinOwner {
  let id = 1_000_000_007n;
  for (const letter of username) id = (id * 131n + BigInt(letter.codePointAt(0) ?? 0)) % 60_000_000_000n;
  return { id: (id + 1_000_000n).toString(), username, fullName, verified, private: false };
}

const publishedAfterSeconds = 31;

/** Seconds since 1970: a reel is published shortly after its id is minted. */
export const takenAtOfMediaId = (mediaId: string): number =>
  Math.floor(momentOfInstagramId(mediaId).getTime() / 1000) + publishedAfterSeconds;

/** A video with the poster of a stored reel. */
export const videoUnder = (name: string, video: Omit<StandinMedia, "type" | "poster">): StandinMedia => ({
  type: "video",
  poster: () => readFile(storedFile(name, "jpg")),
  ...video,
});

export function toStandinReel(row: StoredReel): StandinReel {
  const { name, hasAudio, width, height, handle, fullName, verified, sound: _, ...details } = row;
  const mediaId = mediaIdOfCode(row.code);
  return {
    ...details,
    mediaId,
    note: "a stored reel",
    owner: ownerOf(handle, fullName, verified),
    coauthors: [],
    takenAt: takenAtOfMediaId(mediaId),
    availability: "public",
    media: [
      videoUnder(name, {
        load: () => readFile(storedFile(name, "mp4")),
        seconds: row.seconds,
        hasAudio,
        width,
        height,
        isWhole: true,
      }),
    ],
  };
}
