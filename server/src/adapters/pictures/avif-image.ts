/** Real files have fewer than 30 boxes in one another. */
const mostBoxes = 100;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size of an AVIF image without the decoder, which unpacks all frames of every image item (transparency, a tile
 * or the whole) before anything is cropped. So only one item of one frame and one size is accepted: undefined for any
 * other. Throws for damaged files.
 */
export function avifImage(file: Buffer): Size | undefined {
  const outer = boxesOf(file);
  if (!outer.every(({ type }) => /^(?:ftyp|meta|mdat|free|skip|uuid)$/.test(type))) return undefined;
  const meta = boxesOf(only(outer, "meta").subarray(4));
  const id = imageItemOf(only(meta, "iinf"));
  const properties = boxesOf(only(boxesOf(only(meta, "iprp")), "ipco"));
  const count = (searched: string): number => properties.filter(({ type }) => type === searched).length;
  if (id === undefined || count("ispe") > 1 || count("av1C") > 1) return undefined;
  const coded = codedImageOf(only(meta, "iloc"), id, file);
  // Some decoders put what is in the configuration before the image.
  if (coded === undefined || framesOf(only(properties, "av1C").subarray(4)) + framesOf(coded) !== 1) return undefined;
  const size = only(properties, "ispe");
  return { width: size.readUInt32BE(4), height: size.readUInt32BE(8) };
}

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

function boxesOf(bytes: Buffer): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length;) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    let size = bytes.readUInt32BE(at);
    const head = size === 1 ? 16 : 8;
    if (size === 1) size = Number(bytes.readBigUInt64BE(at + 8));
    else if (size === 0) size = bytes.length - at;
    // The decoder reports a file that is cut off.
    if (size < head || (at + size > bytes.length && type !== "mdat")) throw new Error(`${type} has ${size} bytes`);
    if (boxes.push({ type, body: bytes.subarray(at + head, at + size) }) > mostBoxes) throw new Error("too many boxes");
    at += size;
  }
  return boxes;
}

function only(boxes: readonly Box[], type: string): Buffer {
  const [first, ...others] = boxes.filter((box) => box.type === type);
  if (first === undefined || others.length > 0) throw new Error(`not exactly one ${type}`);
  return first.body;
}

/** The id of the only item that is not a description. */
function imageItemOf(items: Buffer): number | undefined {
  const ids: number[] = [];
  for (const { body } of boxesOf(items.subarray(items[0] === 0 ? 6 : 8))) {
    const isLong = body[0] === 3;
    const type = body.toString("latin1", isLong ? 10 : 8, isLong ? 14 : 12);
    if (type === "Exif") continue;
    if (type === "mime") {
      // Compressed descriptions could unpack to any size.
      const [, , encoding = ""] = body.toString("latin1", isLong ? 14 : 12).split("\0", 3);
      if (encoding !== "") throw new Error("a compressed description");
      continue;
    }
    if (type !== "av01") return undefined;
    ids.push(isLong ? body.readUInt32BE(4) : body.readUInt16BE(4));
  }
  return ids.length === 1 ? ids[0] : undefined;
}

/** The bytes of an item; undefined if it is in pieces. Throws when the items are together larger than the file. */
function codedImageOf(locations: Buffer, id: number, file: Buffer): Buffer | undefined {
  let at = 6;
  const next = (size: number): number => {
    const value = size === 8 ? Number(locations.readBigUInt64BE(at)) : size === 0 ? 0 : locations.readUIntBE(at, size);
    at += size;
    return value;
  };
  const version = locations.readUInt8(0);
  const sizes = locations.readUInt16BE(4);
  const offsetSize = sizes >> 12;
  const lengthSize = (sizes >> 8) & 15;
  const baseSize = (sizes >> 4) & 15;
  const indexSize = version === 0 ? 0 : sizes & 15;
  const idSize = version < 2 ? 2 : 4;
  const images: (Buffer | undefined)[] = [];
  let left = file.length;
  for (let items = next(idSize); items > 0; items -= 1) {
    const isImage = next(idSize) === id;
    const isElsewhere = version !== 0 && (next(2) & 15) !== 0;
    next(2);
    const base = next(baseSize);
    const pieces = next(2);
    let bytes: Buffer | undefined;
    for (let piece = 0; piece < pieces; piece += 1) {
      next(indexSize);
      const start = base + next(offsetSize);
      // Without a length, a piece is the whole file.
      const length = next(lengthSize) || file.length;
      if ((left -= length) < 0) throw new Error("the items are larger than the file");
      bytes = file.subarray(start, start + length);
    }
    if (isImage) images.push(pieces === 1 && !isElsewhere ? bytes : undefined);
  }
  return images.length === 1 ? images[0] : undefined;
}

/** How many frames are in a sequence of the units (OBUs) that AV1 consists of. */
function framesOf(units: Buffer): number {
  let frames = 0;
  for (let at = 0; at < units.length;) {
    const head = units.readUInt8(at);
    // Decoders skip zeros between frames, and need the size of each unit.
    if (head === 0) {
      at += 1;
      continue;
    }
    if ((head & 2) === 0) throw new Error("a unit without a size");
    const type = (head >> 3) & 15;
    if (type === 3 || type === 6) frames += 1;
    at += (head & 4) === 0 ? 1 : 2;
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = units.readUInt8(at);
      at += 1;
      size += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    at += size;
  }
  return frames;
}
