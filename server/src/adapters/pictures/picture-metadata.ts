/** Real files have some thousand parts at most. */
export const mostParts = 20_000;
/** Profiles of screens have a few kilobytes. */
export const mostProfileBytes = 65_536;

const orientationTag = 0x0112;

/** Which side is up, 1 to 8, as metadata of cameras say it; everything else in them stays unread. */
export function orientationOf(exif: Buffer): number {
  const isLittle = exif.toString("latin1", 0, 2) === "II";
  const short = (at: number): number =>
    at + 2 > exif.length ? 0 : isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at);
  if (exif.length < 8) return 1;
  const first = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  const entries = Math.min(short(first), 100);
  for (let at = first + 2; at < first + 2 + entries * 12; at += 12) {
    if (short(at) !== orientationTag) continue;
    const orientation = short(at + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

/** Metadata that say which side is up, and nothing else. */
export function exifOf(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write("MM\0*", "latin1");
  exif.writeUInt32BE(8, 4);
  exif.writeUInt16BE(1, 8);
  exif.writeUInt16BE(orientationTag, 10);
  exif.writeUInt16BE(3, 12);
  exif.writeUInt32BE(1, 14);
  exif.writeUInt16BE(orientation, 18);
  return exif;
}
