/** An ISO base media box as it lies in a buffer: `start` is its first byte, `body` the first after type and size. */
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

/** Follows a path such as `moov/trak/mdia` from the top, taking the first of each name. */
export function findBox(bytes: Buffer, path: string, within?: BoxPlace): BoxPlace {
  let place = within ?? { type: "", start: 0, body: 0, end: bytes.length };
  for (const type of path.split("/")) {
    const next = boxesIn(bytes, place.body, place.end).find((box) => box.type === type);
    if (!next) throw new Error(`no ${type} on the way to ${path}`);
    place = next;
  }
  return place;
}
