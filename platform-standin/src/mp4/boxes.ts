/** An ISO base media box in a buffer: `start` is its first byte, `body` the first after type and size. */
export interface BoxPlace {
  readonly type: string;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/** The boxes between two offsets, in order. */
export function boxesIn(bytes: Buffer, start: number, end: number): BoxPlace[] {
  const places: BoxPlace[] = [];
  for (let at = start; at + 8 <= end;) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > end) throw new Error(`a box of ${size} bytes at ${at} does not fit`);
    places.push({ type: bytes.toString("latin1", at + 4, at + 8), start: at, body: at + 8, end: at + size });
    at += size;
  }
  return places;
}

/** Follows a path such as `moov/trak/mdia` from the top, taking the first box of each name. */
export function findBox(bytes: Buffer, path: string, within?: BoxPlace): BoxPlace {
  let place = within ?? { type: "", start: 0, body: 0, end: bytes.length };
  for (const type of path.split("/")) {
    const next = boxesIn(bytes, place.body, place.end).find((box) => box.type === type);
    if (!next) throw new Error(`no ${type} on the way to ${path}`);
    place = next;
  }
  return place;
}

export function makeBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

export function makeFullBox(type: string, flags: number, ...parts: readonly Buffer[]): Buffer {
  return makeBox(type, uint32(flags), ...parts);
}

export function uint32(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => out.writeUInt32BE(value, index * 4));
  return out;
}

export function uint16(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => out.writeUInt16BE(value, index * 2));
  return out;
}
