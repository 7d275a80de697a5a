const containers = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

export interface Box {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/** The boxes of an ISO-BMFF file, outer before inner. */
export function boxesOf(file: Buffer, start = 0, end = file.length, parent = ""): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end;) {
    const size = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    if (size < 8) break;
    boxes.push({ path: `${parent}/${type}`, start: at, size });
    if (containers.has(type)) boxes.push(...boxesOf(file, at + 8, at + size, `${parent}/${type}`));
    at += size;
  }
  return boxes;
}

export function boxesNamed(file: Buffer, type: string): Box[] {
  const boxes = boxesOf(file).filter((box) => box.path.endsWith(`/${type}`));
  if (boxes.length === 0) throw new Error(`the file has no ${type} box`);
  return boxes;
}

export function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

/** Unsigned 32-bit numbers, big-endian. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/** A stretch of a track as an edit list names it: of its media from `from` on, or of nothing. Seconds. */
export interface Edit {
  readonly seconds: number;
  readonly from?: number;
}

/** An ISO-BMFF file whose index comes first, with an edit list for its sound in place of the one it has. */
export function withEdits(file: Buffer, edits: readonly Edit[]): Buffer {
  const movieRate = file.readUInt32BE(boxesNamed(file, "mvhd")[0]!.start + 20);
  const track = soundTrack(file);
  const mediaRate = file.readUInt32BE(within(file, track, "mdhd").start + 20);
  const entries = edits.map(({ seconds, from }) =>
    words(Math.round(seconds * movieRate), from === undefined ? 0xffffffff : Math.round(from * mediaRate), 0x10000),
  );
  const copy = Buffer.from(file);
  copy.write("free", within(file, track, "edts").start + 4, "latin1");
  const { start, size } = within(file, track, "tkhd");
  return inserted(copy, start + size, box("edts", box("elst", words(0, entries.length), ...entries)));
}

/** Puts a pause in a file's sound: the frame with that number takes so much longer. */
export function withPause(file: Buffer, frame: number, seconds: number): Buffer {
  const track = soundTrack(file);
  const mediaRate = file.readUInt32BE(within(file, track, "mdhd").start + 20);
  const { start } = within(file, track, "stts");
  const count = file.readUInt32BE(start + 16);
  const length = file.readUInt32BE(start + 20);
  const longer = words(1, length + Math.round(seconds * mediaRate), count - frame - 1, length);
  const copy = inserted(file, start + 24, longer);
  copy.writeUInt32BE(file.readUInt32BE(start + 12) + 2, start + 12);
  copy.writeUInt32BE(frame, start + 16);
  return copy;
}

function soundTrack(file: Buffer): Box {
  const sound = file.indexOf("soun");
  return boxesNamed(file, "trak").find(({ start, size }) => sound > start && sound < start + size)!;
}

const within = (file: Buffer, outer: Box, type: string): Box =>
  boxesNamed(file, type).find(({ start }) => start > outer.start && start < outer.start + outer.size)!;

/** Bytes behind a box of the index, or in a time table at its end: all around grow, and the media move. */
function inserted(file: Buffer, at: number, bytes: Buffer): Buffer {
  const copy = Buffer.from(file);
  for (const { start, size } of boxesOf(file).filter((one) => one.start < at && at <= one.start + one.size))
    if (at < start + size || file.toString("latin1", start + 4, start + 8) === "stts")
      copy.writeUInt32BE(size + bytes.length, start);
  for (const { start } of boxesNamed(file, "stco"))
    for (let entry = 0; entry < file.readUInt32BE(start + 12); entry += 1) {
      const offset = start + 16 + entry * 4;
      copy.writeUInt32BE(file.readUInt32BE(offset) + bytes.length, offset);
    }
  return Buffer.concat([copy.subarray(0, at), bytes, copy.subarray(at)]);
}
