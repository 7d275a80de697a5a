import { boxesIn, type BoxPlace, findBox } from "./boxes.ts";
import type { Sample, Track } from "./track.ts";

/** Durations of all samples, with run lengths expanded. */
function durationsOf(bytes: Buffer, table: BoxPlace): number[] {
  const durations: number[] = [];
  const entries = bytes.readUInt32BE(table.body + 4);
  for (let index = 0; index < entries; index += 1) {
    const at = table.body + 8 + index * 8;
    const count = bytes.readUInt32BE(at);
    const duration = bytes.readUInt32BE(at + 4);
    for (let each = 0; each < count; each += 1) durations.push(duration);
  }
  return durations;
}

/** Finds each sample: chunks by offset, and the samples of a chunk in sequence. */
function samplesOf(bytes: Buffer, table: BoxPlace): Sample[] {
  const box = (type: string) => findBox(bytes, type, table).body;
  const durations = durationsOf(bytes, findBox(bytes, "stts", table));
  const sizes = box("stsz");
  const chunks = box("stco");
  const runs = box("stsc");
  const oneSize = bytes.readUInt32BE(sizes + 4);
  const sizeOf = (index: number) => oneSize || bytes.readUInt32BE(sizes + 12 + index * 4);
  const chunkCount = bytes.readUInt32BE(chunks + 4);
  const runCount = bytes.readUInt32BE(runs + 4);
  const samples: Sample[] = [];
  for (let chunk = 0, run = 0; chunk < chunkCount; chunk += 1) {
    while (run + 1 < runCount && bytes.readUInt32BE(runs + 8 + (run + 1) * 12) <= chunk + 1) run += 1;
    let at = bytes.readUInt32BE(chunks + 8 + chunk * 4);
    const perChunk = bytes.readUInt32BE(runs + 8 + run * 12 + 4);
    for (let each = 0; each < perChunk; each += 1) {
      const size = sizeOf(samples.length);
      samples.push({ bytes: bytes.subarray(at, at + size), duration: durations[samples.length] ?? 0 });
      at += size;
    }
  }
  return samples;
}

/** The tracks of an mp4 that the project's script made: 32-bit offsets, one sample description. */
export function readTracks(bytes: Buffer): Track[] {
  const moov = findBox(bytes, "moov");
  return boxesIn(bytes, moov.body, moov.end)
    .filter((box) => box.type === "trak")
    .map((trak) => {
      const handlerAt = findBox(bytes, "mdia/hdlr", trak).body + 8;
      const handler = bytes.toString("latin1", handlerAt, handlerAt + 4);
      if (handler !== "vide" && handler !== "soun") throw new Error(`a track of kind ${handler}`);
      const description = findBox(bytes, "mdia/minf/stbl/stsd", trak);
      const header = findBox(bytes, "tkhd", trak).body;
      const edits = boxesIn(bytes, trak.body, trak.end).find((box) => box.type === "edts");
      return {
        handler,
        timescale: bytes.readUInt32BE(findBox(bytes, "mdia/mdhd", trak).body + 12),
        sampleEntry: bytes.subarray(description.body + 8, description.end),
        samples: samplesOf(bytes, findBox(bytes, "mdia/minf/stbl", trak)),
        width: bytes.readUInt32BE(header + 76) >>> 16,
        height: bytes.readUInt32BE(header + 80) >>> 16,
        ...(edits ? { edits: bytes.subarray(edits.start, edits.end) } : {}),
      };
    });
}
