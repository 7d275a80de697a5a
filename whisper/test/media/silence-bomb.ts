import { box, words } from "./boxes.ts";

const sampleRate = 16_000;
const frameSamples = 65_535;

/** A small MP4 that unpacks to `seconds` of silence: FLAC frames of one constant value, twelve bytes each. */
export function silenceBomb(seconds: number): Buffer {
  const frame = constantFrame();
  const frames = Math.ceil((seconds * sampleRate) / frameSamples);
  const samples = frames * frameSamples;
  const head = box("ftyp", Buffer.from("isom"), words(512), Buffer.from("isom"));
  const withChunkAt = (offset: number): Buffer => movie(frame.length, frames, samples, offset);
  const offset = head.length + withChunkAt(0).length + 8;
  const media = Buffer.concat(Array.from({ length: frames }, () => frame));
  return Buffer.concat([head, withChunkAt(offset), box("mdat", media)]);
}

function movie(frameBytes: number, frames: number, samples: number, offset: number): Buffer {
  const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const header = box(
    "mvhd",
    words(0, 0, 0, sampleRate, samples, 0x10000, 0x1000000, 0, 0),
    matrix,
    words(0, 0, 0, 0, 0, 0, 2),
  );
  const track = box("tkhd", words(7, 0, 0, 1, 0, samples, 0, 0, 0, 0x1000000), matrix, words(0, 0));
  const mediaHeader = box("mdhd", words(0, 0, 0, sampleRate, samples, 0x55c40000));
  const handler = box("hdlr", words(0, 0), Buffer.from("soun"), words(0, 0, 0), Buffer.from("\0"));
  const table = box(
    "stbl",
    box("stsd", words(0, 1), sampleEntry()),
    box("stts", words(0, 1, frames, frameSamples)),
    box("stsc", words(0, 1, 1, frames, 1)),
    box("stsz", words(0, frameBytes, frames)),
    box("stco", words(0, 1, offset)),
  );
  const reference = box("dinf", box("dref", words(0, 1), box("url ", words(1))));
  const information = box("minf", box("smhd", words(0, 0)), reference, table);
  return box("moov", header, box("trak", track, box("mdia", mediaHeader, handler, information)));
}

function sampleEntry(): Buffer {
  const streamInfo = Buffer.alloc(34);
  streamInfo.writeUInt16BE(frameSamples, 0);
  streamInfo.writeUInt16BE(frameSamples, 2);
  // 20 bits of rate, 3 of channels - 1, 5 of bits - 1, then the upper bits of the count of samples.
  streamInfo.writeUInt32BE(((sampleRate << 12) | (15 << 4)) >>> 0, 10);
  const description = box("dfLa", words(0), Buffer.from([0x80, 0, 0, 34]), streamInfo);
  return box(
    "fLaC",
    words(0, 1, 0, 0),
    Buffer.from([0, 1, 0, 16, 0, 0, 0, 0]),
    words(sampleRate * 0x10000),
    description,
  );
}

function constantFrame(): Buffer {
  const header = Buffer.from([0xff, 0xf8, 0x70, 0x08, 0x00, 0xff, 0xfe]);
  const body = Buffer.concat([header, Buffer.from([checksum(header, 8, 0x07)]), Buffer.from([0, 0, 0])]);
  const foot = Buffer.alloc(2);
  foot.writeUInt16BE(checksum(body, 16, 0x8005));
  return Buffer.concat([body, foot]);
}

function checksum(bytes: Uint8Array, width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1);
  const mask = (1 << width) - 1;
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit += 1) value = (value & top ? (value << 1) ^ polynomial : value << 1) & mask;
  }
  return value;
}
