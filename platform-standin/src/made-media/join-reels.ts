import { readTracks } from "../mp4/read-tracks.ts";
import type { Sample, Track } from "../mp4/track.ts";
import { writeMp4 } from "../mp4/write-mp4.ts";

const pictureSeconds = 10;

function trackOf(bytes: Buffer, handler: Track["handler"]): Track {
  const track = readTracks(bytes).find((each) => each.handler === handler);
  if (!track) throw new Error(`no ${handler} track to join`);
  // What is true of the beginning of one reel is not of the whole.
  const { edits: _, ...unedited } = track;
  return unedited;
}

/** One long reel: the sound of these, in order, `rounds` times over, under the first picture of the first. */
export function joinReels(reels: readonly Buffer[], rounds: number): Buffer {
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
