import { readFile } from "node:fs/promises";
import { loaderOf } from "../made-media/made-media.ts";
import { mediaIdOfCode } from "./shortcode.ts";
import { type SpecialReel, specialReels } from "./special-reels.ts";
import type { StandinMedia, StandinReel } from "./standin-reel.ts";
import {
  ownerOf,
  readStoredReels,
  storedFile,
  type StoredReel,
  takenAtOfMediaId,
  toStandinReel,
} from "./stored-reels.ts";

type StoredByName = ReadonlyMap<string, StoredReel>;

function storedOf(byName: StoredByName, name: string): StoredReel {
  const row = byName.get(name);
  if (!row) throw new Error(`no stored reel is called ${name}`);
  return row;
}

/** What is said, and for how long, in media joined from stored reels. */
function joinedOf(special: SpecialReel, byName: StoredByName): { text: string; seconds: number } | undefined {
  if (special.made?.name !== "joined") return undefined;
  const rows = special.made.reels.map((name) => storedOf(byName, name));
  const { rounds } = special.made;
  return {
    text: Array.from({ length: rounds }, () => rows.map((row) => row.text))
      .flat()
      .join(" "),
    seconds: rows.reduce((sum, row) => sum + row.seconds, 0) * rounds,
  };
}

function mediaOf(special: SpecialReel, row: StoredReel, seconds: number): StandinMedia {
  const load = special.made ? loaderOf(special.made, row.name) : () => readFile(storedFile(row.name, "mp4"));
  return {
    type: special.photo ? "photo" : "video",
    load,
    poster: () => readFile(storedFile(row.name, "jpg")),
    seconds: special.claim?.seconds ?? seconds,
    hasAudio: special.claim?.hasAudio ?? row.hasAudio,
    width: row.width,
    height: row.height,
    isWhole: special.fault === undefined && (special.made === undefined || special.made.name === "joined"),
    ...(special.fault ? { fault: special.fault } : {}),
  };
}

function toSpecialReel(special: SpecialReel, byName: StoredByName): StandinReel {
  const rows = (special.base ?? ["en-amiable"]).map((name) => storedOf(byName, name));
  const [first] = rows;
  if (!first) throw new Error(`the special reel ${special.code} shows nothing`);
  const stored = toStandinReel(first);
  const mediaId = mediaIdOfCode(special.code);
  const joined = joinedOf(special, byName);
  const text = special.photo ? "" : (joined?.text ?? rows.map((row) => row.text).join(" "));
  const seconds = special.photo ? 0 : (joined?.seconds ?? rows.reduce((sum, row) => sum + row.seconds, 0));
  return {
    ...stored,
    code: special.code,
    mediaId,
    kind: special.kind,
    note: special.note,
    text,
    seconds: Math.round(seconds * 1000) / 1000,
    takenAt: takenAtOfMediaId(mediaId),
    owner: { ...stored.owner, private: special.ownerIsPrivate ?? false },
    coauthors: (special.coauthors ?? []).map((handle) => ownerOf(handle, handle)),
    media: rows.map((row) => mediaOf(special, row, joined?.seconds ?? row.seconds)),
    ...(special.form ? { form: special.form } : {}),
    ...(special.wall ? { wall: special.wall } : {}),
    ...special.change,
  };
}

/** Every reel of the stand-in: the stored ones, then those that stand for a wall, a failure or an odd form. */
export function readReelTable(): StandinReel[] {
  const rows = readStoredReels();
  const byName = new Map(rows.map((row) => [row.name, row]));
  return [...rows.map(toStandinReel), ...specialReels.map((special) => toSpecialReel(special, byName))];
}
