import type { BarePicture } from "./bare-picture.ts";
import { exifOf, mostParts, orientationOf } from "./picture-metadata.ts";

const exifName = "Exif\0\0";
/** The only part of a profile that is in one: larger ones are in several. */
const profileName = "ICC_PROFILE\0\x01\x01";

/** Throws for files without a size. */
export function bareJpeg(bytes: Buffer): BarePicture {
  const kept: Buffer[] = [];
  let size: { readonly width: number; readonly height: number } | undefined;
  let orientation = 1;
  const seen = new Set<string>();
  const once = (name: string): boolean => !seen.has(name) && seen.add(name).has(name);
  let [at, parts] = [2, 0];
  while ((at = bytes.indexOf(0xff, at)) >= 0 && at + 4 <= bytes.length) {
    if ((parts += 1) > mostParts) throw new Error("too many segments");
    const marker = bytes.readUInt8(at + 1);
    if (marker < 0xc0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === 0xd9) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at, end);
    if (isFrame(marker) && segment.length >= 9)
      size ??= { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
    if (marker === 0xe1 && named(segment, exifName) && once("exif")) orientation = orientationOf(segment.subarray(10));
    const isAboutColors =
      (marker === 0xee && named(segment, "Adobe") && once("adobe")) ||
      (marker === 0xe2 && named(segment, profileName) && once("profile"));
    if (marker < 0xe0 || isAboutColors) kept.push(segment);
    at = end;
    if (marker !== 0xda) continue;
    at = endOfScan(bytes, end);
    kept.push(bytes.subarray(end, at));
  }
  if (size === undefined) throw new Error("a JPEG without a size");
  const head = Buffer.from([0xff, 0xd8]);
  const upright = orientation === 1 ? [] : [exifSegment(orientation)];
  // Of a file that is cut off, the decoder says so.
  const last = at >= 0 && bytes[at + 1] === 0xd9 ? [Buffer.from([0xff, 0xd9])] : [];
  return { bytes: Buffer.concat([head, ...upright, ...kept, ...last]), ...size };
}

/** A frame's head, which states its size; C4, C8 and CC are something else. */
const isFrame = (marker: number): boolean => marker === 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 !== 0);

const named = (segment: Buffer, name: string): boolean => segment.toString("latin1", 4, 4 + name.length) === name;

/** Where the next segment begins. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; (at = bytes.indexOf(0xff, at)) >= 0; at += 2) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function exifSegment(orientation: number): Buffer {
  const body = Buffer.concat([Buffer.from(exifName, "latin1"), exifOf(orientation)]);
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, body.length + 2]), body]);
}
