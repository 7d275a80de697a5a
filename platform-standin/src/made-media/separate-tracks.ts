import { readTracks } from "../mp4/read-tracks.ts";
import { writeMp4 } from "../mp4/write-mp4.ts";
import type { StandinMedia } from "../reels/standin-reel.ts";

export interface SeparateTracks {
  readonly video: Buffer;
  /** Omitted if the file has no sound. */
  readonly audio?: Buffer;
}

const tracksOf = new WeakMap<StandinMedia, Promise<SeparateTracks | undefined>>();

/** A video's picture and sound as separate files; undefined for media that are served broken or aren't mp4. */
export function separateTracks(media: StandinMedia): Promise<SeparateTracks | undefined> {
  const tracks = tracksOf.get(media) ?? separate(media);
  tracksOf.set(media, tracks);
  return tracks;
}

async function separate(media: StandinMedia): Promise<SeparateTracks | undefined> {
  if (!media.isWhole) return undefined;
  const bytes = await media.load();
  if (bytes.toString("latin1", 4, 8) !== "ftyp") return undefined;
  const tracks = readTracks(bytes);
  const video = tracks.find(({ handler }) => handler === "vide");
  const audio = media.hasAudio ? tracks.find(({ handler }) => handler === "soun") : undefined;
  if (video === undefined || (audio && audio.sampleEntry.toString("latin1", 4, 8) !== "mp4a")) return undefined;
  return { video: writeMp4([video]), ...(audio ? { audio: writeMp4([audio]) } : {}) };
}
