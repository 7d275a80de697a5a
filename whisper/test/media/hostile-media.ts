import { readFileSync } from "node:fs";
import { box, boxesNamed, boxesOf, words } from "./boxes.ts";

/** Three seconds of H.264 and AAC-LC, the index before the media. */
function chirpMp4(): Buffer {
  return readFileSync(new URL("../fixtures/chirp.mp4", import.meta.url));
}

export function truncatedMedia(): Buffer {
  const file = chirpMp4();
  const [media] = boxesNamed(file, "mdat");
  return file.subarray(0, (media?.start ?? 0) + Math.floor((media?.size ?? 0) * 0.5));
}

export function withoutIndex(): Buffer {
  const file = chirpMp4();
  const boxes = boxesOf(file).filter(({ path }) => path === "/ftyp" || path === "/mdat");
  return Buffer.concat(boxes.map(({ start, size }) => file.subarray(start, start + size)));
}

export function withoutAudioTrack(): Buffer {
  const file = chirpMp4();
  const sound = file.indexOf("soun");
  const track = boxesNamed(file, "trak").find(({ start, size }) => sound > start && sound < start + size);
  file.write("free", (track?.start ?? 0) + 4, "latin1");
  return file;
}

export function withInsaneDurations(): Buffer {
  const file = chirpMp4();
  for (const { path, start } of boxesOf(file)) {
    if (path.endsWith("/mvhd") || path.endsWith("/mdhd")) file.writeUInt32BE(0xfffffff0, start + 24);
    if (path.endsWith("/tkhd")) file.writeUInt32BE(0xfffffff0, start + 28);
  }
  return file;
}

export function withInsaneTimeTable(): Buffer {
  const file = chirpMp4();
  for (const { start } of boxesNamed(file, "stts")) file.writeUInt32BE(0x7fffffff, start + 16);
  return file;
}

export function withInsaneSampleCount(): Buffer {
  const file = chirpMp4();
  for (const { start } of boxesNamed(file, "stsz")) file.writeUInt32BE(0x7ffffff0, start + 16);
  return file;
}

export function withInsaneConstantSamples(): Buffer {
  const file = withInsaneSampleCount();
  for (const { start } of boxesNamed(file, "stsz")) file.writeUInt32BE(1, start + 12);
  return file;
}

/** Says that its audio is xHE-AAC: audio object type 42 is 5 bits of 31, then 6 bits of 42 - 32. */
export function withExtendedHeAac(): Buffer {
  const file = chirpMp4();
  const specific = decoderSpecificInfo(file);
  file[specific] = 0xf9;
  file[specific + 1] = 0x48;
  return file;
}

export function withUnknownCodec(): Buffer {
  const file = chirpMp4();
  file.write("free", file.indexOf("esds"), "latin1");
  file.write("zzzz", sampleEntry(file), "latin1");
  return file;
}

/** Deterministic damage all over the index, a little over the media. */
export function fuzzed(seed: number): Buffer {
  const file = chirpMp4();
  const random = randomNumbers(seed);
  const [index] = boxesNamed(file, "moov");
  const [media] = boxesNamed(file, "mdat");
  for (let hit = 0; hit < 3 + (seed % 20); hit += 1) damage(file, index, random);
  for (let hit = 0; hit < 50; hit += 1) damage(file, media, random);
  return file;
}

export function randomBytes(length: number): Buffer {
  const random = randomNumbers(1);
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

export function onlyTheFirstBoxIsGood(): Buffer {
  return Buffer.concat([box("ftyp", Buffer.from("isom"), words(512)), randomBytes(20_000)]);
}

export function playlist(target: string): Buffer {
  return Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:60\n#EXTINF:60,\n${target}\n#EXT-X-ENDLIST\n`);
}

export function concatScript(target: string): Buffer {
  return Buffer.from(`ffconcat version 1.0\nfile '${target}'\n`);
}

/** A WAV file of 32-bit floating point. */
export function floatWav(samples: readonly number[], rate = 16_000, channels = 1): Buffer {
  const data = Buffer.alloc(samples.length * 4);
  for (const [index, sample] of samples.entries()) data.writeFloatLE(sample, index * 4);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(3, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * 4, 28);
  head.writeUInt16LE(channels * 4, 32);
  head.writeUInt16LE(32, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

function damage(file: Buffer, area: { start: number; size: number } | undefined, random: () => number): void {
  if (area === undefined) return;
  file[area.start + 8 + Math.floor(random() * (area.size - 8))] = Math.floor(random() * 256);
}

function sampleEntry(file: Buffer): number {
  const descriptions = boxesNamed(file, "stsd").map(({ start, size }) => file.subarray(start, start + size));
  const sound = descriptions.find((description) => description.includes("mp4a"));
  if (sound === undefined) throw new Error("the file has no AAC track");
  return file.indexOf(sound) + sound.indexOf("mp4a");
}

function decoderSpecificInfo(file: Buffer): number {
  const descriptor = file.indexOf(Buffer.from([0x05, 0x80, 0x80, 0x80]), file.indexOf("esds"));
  if (descriptor === -1) throw new Error("the file has no decoder description");
  return descriptor + 5;
}

/** Mulberry32: the same numbers for the same seed on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
