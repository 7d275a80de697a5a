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
  videoUnder,
} from "./stored-reels.ts";

type FindStored = (name: string) => StoredReel;

/** The stored reels whose sound a special one contains, in order. */
const heardIn = (
  { madeMedia, photo }: SpecialReel,
  rows: readonly StoredReel[],
  find: FindStored,
): readonly StoredReel[] =>
  photo
    ? []
    : madeMedia?.name === "joined"
      ? Array.from({ length: madeMedia.rounds }, () => madeMedia.reels.map(find)).flat()
      : rows;

const secondsOf = (rows: readonly StoredReel[]): number => rows.reduce((sum, { seconds }) => sum + seconds, 0);

function mediaOf({ madeMedia, photo, claim, fault }: SpecialReel, row: StoredReel, seconds: number): StandinMedia {
  const { name, hasAudio, width, height } = row;
  return {
    ...videoUnder(name, {
      load: madeMedia ? loaderOf(madeMedia, name) : () => readFile(storedFile(name, "mp4")),
      seconds,
      hasAudio,
      width,
      height,
      isWhole: fault === undefined && (madeMedia === undefined || madeMedia.name === "joined"),
      fault,
      ...claim,
    }),
    type: photo ? "photo" : "video",
  };
}

function toSpecialReel(special: SpecialReel, find: FindStored): StandinReel {
  const { code, kind, note, base = ["en-amiable"], madeMedia, form, wall, coauthors = [] } = special;
  const rows = base.map(find);
  const stored = toStandinReel(rows[0]!); // safe: a post shows something
  const mediaId = mediaIdOfCode(code);
  const speech = heardIn(special, rows, find);
  return {
    ...stored,
    code,
    mediaId,
    kind,
    note,
    text: speech.map(({ text }) => text).join(" "),
    seconds: Math.round(secondsOf(speech) * 1000) / 1000,
    takenAt: takenAtOfMediaId(mediaId),
    owner: { ...stored.owner, private: special.ownerIsPrivate ?? false },
    coauthors: coauthors.map((handle) => ownerOf(handle, handle)),
    media: rows.map((row) => mediaOf(special, row, madeMedia?.name === "joined" ? secondsOf(speech) : row.seconds)),
    form,
    wall,
    ...special.change,
  };
}

/** Every reel of the stand-in: the stored ones, then those that test a wall, a failure or an unusual format. */
export function readReelTable(): StandinReel[] {
  const rows = readStoredReels();
  const find: FindStored = (name) => {
    const row = rows.find((each) => each.name === name);
    if (!row) throw new Error(`no stored reel is called ${name}`);
    return row;
  };
  return [...rows.map(toStandinReel), ...specialReels.map((special) => toSpecialReel(special, find))];
}
