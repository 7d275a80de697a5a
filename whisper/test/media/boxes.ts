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
