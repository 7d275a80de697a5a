import { boxesIn, findBox, uint32 } from "../mp4/boxes.ts";

/** Only the first part of the file; its tables are complete, its data are not. */
export const cutTail = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length * 0.55));

/** The tables moved to the end, as cameras write them, and then cut off: nothing is readable. */
export function cutTables(bytes: Buffer): Buffer {
  const parts = boxesIn(bytes, 0, bytes.length).filter((box) => box.type !== "moov");
  return Buffer.concat(parts.map((box) => bytes.subarray(box.start, box.end)));
}

function noiseInto(bytes: Buffer, start: number, end: number): void {
  let state = 12_345;
  for (let at = start; at < end; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
}

/** Intact tables, with noise as data. */
export function scrambleData(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const data = findBox(copy, "mdat");
  noiseInto(copy, data.body, data.end);
  return copy;
}

/** Tables that claim two billion samples. */
export function inflateTables(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const moov = findBox(copy, "moov");
  for (const trak of boxesIn(copy, moov.body, moov.end).filter((box) => box.type === "trak")) {
    const sizes = findBox(copy, "mdia/minf/stbl/stsz", trak);
    uint32(1, 0x7ffffff0).copy(copy, sizes.body + 4);
    const times = findBox(copy, "mdia/minf/stbl/stts", trak);
    uint32(0x7fffffff).copy(copy, times.body + 8);
  }
  return copy;
}

const configurationTag = 0x05;
/** The bytes from the name of the box to the tag, in the files that the project's script makes. */
const configurationOffset = 34;

/** Declares the sound as audio object type 42 (xHE-AAC), which most current decoders refuse. */
export function declareUnknownCodec(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf("esds", 0, "latin1");
  if (at < 0) throw new Error("no AAC configuration to change");
  const tag = at + configurationOffset;
  let body = tag + 1;
  while ((copy[body] ?? 0) & 0x80) body += 1;
  const length = copy[body] ?? 0;
  if (copy[tag] !== configurationTag || length < 3) throw new Error("an AAC configuration too short to change");
  copy.fill(0, body + 1, body + 1 + length);
  copy.set([0xf9, 0x50, 0x20], body + 1);
  return copy;
}

/** A playlist that makes a careless reader fetch its entries. */
export const playlistInDisguise = (): Buffer =>
  Buffer.from(
    [
      "#EXTM3U",
      "#EXT-X-MEDIA-SEQUENCE:0",
      "#EXT-X-TARGETDURATION:10",
      "#EXTINF:10.0,",
      "file:///etc/passwd",
      "#EXTINF:10.0,",
      "http://169.254.169.254/latest/meta-data/",
      "#EXT-X-ENDLIST",
      "",
    ].join("\n"),
  );

export const scriptInDisguise = (): Buffer => Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\nduration 10\n");

export const pageInDisguise = (): Buffer =>
  Buffer.from("<!DOCTYPE html><html><body>Something went wrong</body></html>");
