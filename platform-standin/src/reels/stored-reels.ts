import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { mediaIdOfCode, mintedAtOfMediaId } from "./shortcode.ts";
import type { StandinOwner, StandinReel } from "./standin-reel.ts";

/** A row of `reels/reels.json`, which the script that makes the reels writes. */
export interface StoredReel {
  readonly name: string;
  readonly code: string;
  readonly kind: string;
  readonly language: string;
  readonly text: string;
  readonly seconds: number;
  readonly hasAudio: boolean;
  readonly width: number;
  readonly height: number;
  readonly origin: string;
  readonly license: string;
  readonly handle: string;
  readonly fullName: string;
  readonly verified: boolean;
  readonly caption: string | null;
  readonly likes: number | null;
  readonly comments: number;
  readonly views: number | null;
  readonly plays: number | null;
  readonly music: { title: string; artist: string } | null;
}

const reelsFolder = new URL("../../reels/", import.meta.url);

/** Where the mp4 (or the poster, a jpg) of a stored reel lies. */
export const storedFile = (name: string, ending: "mp4" | "jpg"): string =>
  fileURLToPath(new URL(`${name}.${ending}`, reelsFolder));

export function readStoredReels(): StoredReel[] {
  const table = new URL("reels.json", reelsFolder);
  if (!existsSync(table)) throw new Error("the table of the reels (reels/reels.json) is missing");
  return JSON.parse(readFileSync(table, "utf8")) as StoredReel[];
}

/** The same account for the same handle: its id follows from the letters. */
export function ownerOf(username: string, fullName: string, verified = false): StandinOwner {
  let id = 1_000_000_007n;
  for (const letter of username) id = (id * 131n + BigInt(letter.codePointAt(0) ?? 0)) % 60_000_000_000n;
  return { id: (id + 1_000_000n).toString(), username, fullName, verified, private: false };
}

const publishedAfterSeconds = 31;

/** Seconds since 1970: a reel is published a little after its id was minted. */
export const takenAtOfMediaId = (mediaId: string): number =>
  Math.floor(mintedAtOfMediaId(mediaId) / 1000) + publishedAfterSeconds;

export function toStandinReel(row: StoredReel): StandinReel {
  const mediaId = mediaIdOfCode(row.code);
  const { code, kind, language, text, seconds, origin, license, caption, likes, comments, views, plays, music } = row;
  return {
    code,
    mediaId,
    kind,
    language,
    text,
    seconds,
    origin,
    license,
    caption,
    likes,
    comments,
    views,
    plays,
    music,
    note: "a stored reel",
    owner: ownerOf(row.handle, row.fullName, row.verified),
    coauthors: [],
    takenAt: takenAtOfMediaId(mediaId),
    availability: "public",
    media: [
      {
        type: "video",
        load: () => readFile(storedFile(row.name, "mp4")),
        poster: () => readFile(storedFile(row.name, "jpg")),
        seconds,
        hasAudio: row.hasAudio,
        width: row.width,
        height: row.height,
        isWhole: true,
      },
    ],
  };
}
