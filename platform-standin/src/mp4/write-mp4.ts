import { makeBox, makeFullBox, uint16, uint32 } from "./boxes.ts";
import type { Sample, Track } from "./track.ts";

const movieTimescale = 1000;
const identityMatrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

const ticksOf = (samples: readonly Sample[]) => samples.reduce((sum, sample) => sum + sample.duration, 0);
const toMovieTime = (track: Track) => Math.round((ticksOf(track.samples) / track.timescale) * movieTimescale);

/** `[value, value, ...]` as `[count, value]` runs. */
function runsOf(values: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last && last[1] === value) last[0] += 1;
    else runs.push([1, value]);
  }
  return runs;
}

/** `offset` is the position of the first sample; the others follow it. */
function sampleTable({ samples, sampleEntry }: Track, offset: number): Buffer {
  const durations = runsOf(samples.map(({ duration }) => duration));
  return makeBox(
    "stbl",
    makeFullBox("stsd", 0, uint32(1), sampleEntry),
    makeFullBox("stts", 0, uint32(durations.length, ...durations.flat())),
    makeFullBox("stsc", 0, uint32(1, 1, samples.length, 1)),
    makeFullBox("stsz", 0, uint32(0, samples.length), uint32(...samples.map(({ bytes }) => bytes.length))),
    makeFullBox("stco", 0, uint32(1, offset)),
  );
}

function trackBox(track: Track, id: number, offset: number): Buffer {
  const video = track.handler === "vide";
  const duration = toMovieTime(track);
  const header = makeFullBox(
    "tkhd",
    3,
    uint32(0, 0, id, 0, duration, 0, 0),
    uint16(0, 0, video ? 0 : 0x0100, 0),
    identityMatrix,
    uint32(track.width << 16, track.height << 16),
  );
  const mediaHeader = makeFullBox("mdhd", 0, uint32(0, 0, track.timescale, ticksOf(track.samples)), uint16(0x55c4, 0));
  const handler = makeFullBox(
    "hdlr",
    0,
    uint32(0),
    Buffer.from(track.handler, "latin1"),
    uint32(0, 0, 0),
    Buffer.of(0),
  );
  const kind = video ? makeFullBox("vmhd", 1, uint32(0, 0)) : makeFullBox("smhd", 0, uint32(0));
  const data = makeBox("dinf", makeFullBox("dref", 0, uint32(1), makeFullBox("url ", 1)));
  const information = makeBox("minf", kind, data, sampleTable(track, offset));
  return makeBox("trak", header, track.edits ?? Buffer.alloc(0), makeBox("mdia", mediaHeader, handler, information));
}

/** An mp4 of these tracks. Its tables come before its data, so that it plays while it loads. */
export function writeMp4(tracks: readonly Track[]): Buffer {
  const fileType = makeBox(
    "ftyp",
    Buffer.from("isom", "latin1"),
    uint32(0x200),
    Buffer.from("isomiso2avc1mp41", "latin1"),
  );
  const data = tracks.map(({ samples }) => Buffer.concat(samples.map(({ bytes }) => bytes)));
  const header = makeFullBox(
    "mvhd",
    0,
    uint32(0, 0, movieTimescale, Math.max(...tracks.map(toMovieTime)), 0x10000),
    uint16(0x0100, 0),
    uint32(0, 0),
    identityMatrix,
    uint32(0, 0, 0, 0, 0, 0, tracks.length + 1),
  );
  const movie = (start: number): Buffer => {
    let at = start;
    const boxes = tracks.map((track, index) => {
      const box = trackBox(track, index + 1, at);
      at += data[index]?.length ?? 0;
      return box;
    });
    return makeBox("moov", header, ...boxes);
  };
  const begin = fileType.length + movie(0).length + 8;
  return Buffer.concat([fileType, movie(begin), makeBox("mdat", ...data)]);
}
