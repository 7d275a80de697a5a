import { readFile } from "node:fs/promises";
import { storedFile } from "../reels/stored-reels.ts";
import {
  cutTables,
  cutTail,
  declareUnknownCodec,
  inflateTables,
  pageInDisguise,
  playlistInDisguise,
  scrambleData,
  scriptInDisguise,
} from "./broken-media.ts";
import { makeFlacBomb } from "./flac-bomb.ts";
import { readTracks } from "../mp4/read-tracks.ts";
import type { Sample, Track } from "../mp4/track.ts";
import { writeMp4 } from "../mp4/write-mp4.ts";

const pictureSeconds = 10;

function trackOf(bytes: Buffer, handler: Track["handler"]): Track {
  const track = readTracks(bytes).find((each) => each.handler === handler);
  if (!track) throw new Error(`no ${handler} track to join`);
  // Edits describe the beginning of one reel, not of the concatenation.
  const { edits: _, ...unedited } = track;
  return unedited;
}

/** One long reel: the sound of these in order, repeated `rounds` times, with the first picture of the first. */
function joinReels(reels: readonly Buffer[], rounds: number): Buffer {
  const [first] = reels;
  if (!first) throw new Error("no reels to join");
  const sounds = reels.map((bytes) => trackOf(bytes, "soun"));
  const [sound] = sounds;
  if (!sound) throw new Error("no sound to join");
  for (const other of sounds)
    if (other.timescale !== sound.timescale) throw new Error("reels of one sample rate can be joined, these are not");

  const round = sounds.flatMap((each) => [...each.samples]);
  const samples: Sample[] = Array.from({ length: rounds }, () => round).flat();
  const seconds = samples.reduce((sum, sample) => sum + sample.duration, 0) / sound.timescale;
  const picture = trackOf(first, "vide");
  const still = picture.samples[0]?.bytes ?? Buffer.alloc(0);
  const pictures = Array.from({ length: Math.ceil(seconds / pictureSeconds) }, (_, index) => ({
    bytes: still,
    duration: Math.round(picture.timescale * Math.min(pictureSeconds, seconds - index * pictureSeconds)),
  }));
  return writeMp4([
    { ...picture, samples: pictures },
    { ...sound, samples },
  ]);
}

const changes = {
  cutTail,
  cutTables,
  scrambledData: scrambleData,
  inflatedTables: inflateTables,
  unknownCodec: declareUnknownCodec,
} as const;
const disguises = {
  playlist: playlistInDisguise,
  script: scriptInDisguise,
  page: pageInDisguise,
  empty: () => Buffer.alloc(0),
} as const;
export type MadeMedia =
  | { name: "joined"; reels: readonly string[]; rounds: number }
  | { name: "flacBomb"; hours: number }
  | { name: keyof typeof changes | keyof typeof disguises };

const readStored = (name: string): Promise<Buffer> => readFile(storedFile(name, "mp4"));

async function make(recipe: MadeMedia, base: string): Promise<Buffer> {
  if (recipe.name === "joined") return joinReels(await Promise.all(recipe.reels.map(readStored)), recipe.rounds);
  if (recipe.name === "flacBomb") return makeFlacBomb(recipe.hours);
  return recipe.name in disguises
    ? disguises[recipe.name as keyof typeof disguises]()
    : changes[recipe.name as keyof typeof changes](await readStored(base));
}

/** Loads media that are made from the stored reel `base` on the first request and then cached. */
export function loaderOf(recipe: MadeMedia, base: string): () => Promise<Buffer> {
  let bytes: Promise<Buffer> | undefined;
  return () => (bytes ??= make(recipe, base));
}
