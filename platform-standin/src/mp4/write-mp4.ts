import { makeBox, makeFullBox, uint16, uint32 } from "./boxes.ts";
import type { Sample, Track } from "./track.ts";

const movieTimescale = 1000;
const chunkSeconds = 5;
const identityMatrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

const ticksOf = (samples: readonly Sample[]) => samples.reduce((sum, sample) => sum + sample.duration, 0);
const toMovieTime = (track: Track) => Math.round((ticksOf(track.samples) / track.timescale) * movieTimescale);

/** Samples of a track in stretches of some seconds, so that sound and picture lie near each other. */
function chunksOf(track: Track): Sample[][] {
  const chunks: Sample[][] = [];
  let ticks = 0;
  for (const sample of track.samples) {
    const index = Math.floor(ticks / track.timescale / chunkSeconds);
    while (chunks.length <= index) chunks.push([]);
    chunks[index]?.push(sample);
    ticks += sample.duration;
  }
  return chunks;
}

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

function sampleTable(track: Track, chunks: readonly Sample[][], offsets: readonly number[]): Buffer {
  const full = chunks.filter((chunk) => chunk.length > 0);
  const durations = runsOf(track.samples.map((sample) => sample.duration));
  const perChunk: number[] = [];
  full.forEach((chunk, index) => {
    if (chunk.length !== full[index - 1]?.length) perChunk.push(index + 1, chunk.length, 1);
  });
  return makeBox(
    "stbl",
    makeFullBox("stsd", 0, uint32(1), track.sampleEntry),
    makeFullBox("stts", 0, uint32(durations.length, ...durations.flat())),
    makeFullBox("stsc", 0, uint32(perChunk.length / 3, ...perChunk)),
    makeFullBox(
      "stsz",
      0,
      uint32(0, track.samples.length),
      uint32(...track.samples.map((sample) => sample.bytes.length)),
    ),
    makeFullBox("stco", 0, uint32(offsets.length, ...offsets)),
  );
}

function trackBox(track: Track, id: number, chunks: readonly Sample[][], offsets: readonly number[]): Buffer {
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
  const information = makeBox("minf", kind, data, sampleTable(track, chunks, offsets));
  return makeBox("trak", header, track.edits ?? Buffer.alloc(0), makeBox("mdia", mediaHeader, handler, information));
}

/** An mp4 of these tracks, its tables before its data so that it plays while it loads. */
export function writeMp4(tracks: readonly Track[]): Buffer {
  const fileType = makeBox(
    "ftyp",
    Buffer.from("isom", "latin1"),
    uint32(0x200),
    Buffer.from("isomiso2avc1mp41", "latin1"),
  );
  const chunked = tracks.map(chunksOf);
  const rounds = Math.max(...chunked.map((chunks) => chunks.length));
  const layOut = (start: number) => {
    let at = start;
    const offsets: number[][] = tracks.map(() => []);
    const data: Buffer[] = [];
    for (let round = 0; round < rounds; round += 1)
      chunked.forEach((chunks, index) => {
        const samples = chunks[round] ?? [];
        if (samples.length === 0) return;
        offsets[index]?.push(at);
        for (const { bytes } of samples) {
          data.push(bytes);
          at += bytes.length;
        }
      });

    return { offsets, data };
  };
  const movie = (start: number) => {
    const { offsets, data } = layOut(start);
    const duration = Math.max(...tracks.map(toMovieTime));
    const header = makeFullBox(
      "mvhd",
      0,
      uint32(0, 0, movieTimescale, duration, 0x10000),
      uint16(0x0100, 0),
      uint32(0, 0),
      identityMatrix,
      uint32(0, 0, 0, 0, 0, 0, tracks.length + 1),
    );
    const boxes = tracks.map((track, index) => trackBox(track, index + 1, chunked[index] ?? [], offsets[index] ?? []));
    return { moov: makeBox("moov", header, ...boxes), data };
  };
  const moovLength = movie(0).moov.length;
  const { moov, data } = movie(fileType.length + moovLength + 8);
  return Buffer.concat([fileType, moov, makeBox("mdat", ...data)]);
}
