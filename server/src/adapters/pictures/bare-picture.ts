import { crc32 } from "node:zlib";
import { bioLimits } from "@reelscript/contract/values";
import { avifImage } from "./avif-image.ts";
import { refuse, refuseAnimated, type PictureFormat } from "./picture-format.ts";

/** A picture's file without anything that isn't pixels, a color profile or which side is up. */
interface BarePicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Decoders keep whole rows, in several copies. */
const longestSide = 16_384;
/**
 * Unlike the others, AVIF is unpacked as a whole: 25 bytes a pixel. This bounds it because `avifImage` admits only one
 * frame, and the decoder refuses a frame larger than the file states.
 */
const mostAvifPixels = 16_000_000;

const bareOf: Readonly<Record<PictureFormat, (bytes: Buffer) => BarePicture>> = {
  png: barePng,
  jpeg: bareJpeg,
  webp: bareWebp,
  avif: (bytes) => ({ bytes, ...(avifImage(bytes) ?? refuseLayers()) }),
};

export const mostPixelsOf = (format: PictureFormat): number =>
  format === "avif" ? mostAvifPixels : bioLimits.imageMegapixels * 1_000_000;

/** Reads the size from the file's head, before any decoder sees the file. Throws `invalidRequest` when it is too large. */
export function barePicture(bytes: Buffer, format: PictureFormat): BarePicture {
  const picture = bareOf[format](bytes);
  const { width, height } = picture;
  if (width > longestSide || height > longestSide)
    throw refuse(
      `the image has ${width} by ${height} pixels; a side may have at most 16,384. Make it smaller and try again.`,
    );
  const most = mostPixelsOf(format);
  if (width * height > most)
    throw refuse(
      `the image has ${width} by ${height} pixels, more than ${most / 1_000_000} million. Make it smaller and try again.`,
    );
  return picture;
}

function refuseLayers(): never {
  throw refuse("the image is transparent, or has several layers or tiles. Save it as PNG or WebP and try again.");
}

const jpegExifName = "Exif\0\0";
/** The only part of a profile that is in one: larger ones are in several. */
const jpegProfileName = "ICC_PROFILE\0\x01\x01";

/** Throws for files without a size. */
function bareJpeg(bytes: Buffer): BarePicture {
  const segments: Buffer[] = [];
  let size: { readonly width: number; readonly height: number } | undefined;
  let orientation = 1;
  const seen = new Set<string>();
  const once = (name: string): boolean => !seen.has(name) && seen.add(name).has(name);
  let at = 2;
  let parts = 0;
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
    if (isJpegFrame(marker) && segment.length >= 9)
      size ??= { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
    if (marker === 0xe1 && hasName(segment, jpegExifName) && once("exif"))
      orientation = orientationOf(segment.subarray(10));
    const isAboutColors =
      (marker === 0xee && hasName(segment, "Adobe") && once("adobe")) ||
      (marker === 0xe2 && hasName(segment, jpegProfileName) && once("profile"));
    if (marker < 0xe0 || isAboutColors) segments.push(segment);
    at = end;
    if (marker !== 0xda) continue;
    at = endOfScan(bytes, end);
    segments.push(bytes.subarray(end, at));
  }
  if (size === undefined) throw new Error("a JPEG without a size");
  const head = Buffer.from([0xff, 0xd8]);
  const upright = orientation === 1 ? [] : [exifSegment(orientation)];
  // The decoder reports a file that is cut off.
  const last = at >= 0 && bytes[at + 1] === 0xd9 ? [Buffer.from([0xff, 0xd9])] : [];
  return { bytes: Buffer.concat([head, ...upright, ...segments, ...last]), ...size };
}

/** A frame's head, which states its size; C4, C8 and CC are something else. */
const isJpegFrame = (marker: number): boolean =>
  marker === 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 !== 0);

const hasName = (segment: Buffer, name: string): boolean => segment.toString("latin1", 4, 4 + name.length) === name;

/** Finds the start of the next segment. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; (at = bytes.indexOf(0xff, at)) >= 0; at += 2) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function exifSegment(orientation: number): Buffer {
  const body = Buffer.concat([Buffer.from(jpegExifName, "latin1"), exifOf(orientation)]);
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, body.length + 2]), body]);
}

const pngPixels = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
const signatureBytes = 8;

/** Throws for damaged files, and `invalidRequest` for animated ones. */
function barePng(bytes: Buffer): BarePicture {
  if (bytes.toString("latin1", 12, 16) !== "IHDR" || bytes.length < 33) throw new Error("a PNG without a head");
  const chunks = [bytes.subarray(0, signatureBytes)];
  let profiles = 0;
  let orientation = 1;
  let at = signatureBytes;
  let parts = 0;
  while (at + 12 <= bytes.length) {
    if ((parts += 1) > mostParts) throw new Error("too many chunks");
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "acTL") throw refuseAnimated();
    if (type === "eXIf") orientation = orientationOf(bytes.subarray(at + 8, end - 4));
    // The decoder reports a file that is cut off.
    const isProfile = type === "iCCP" && length <= mostProfileBytes && (profiles += 1) === 1;
    if (pngPixels.has(type) || isProfile) chunks.push(bytes.subarray(at, end));
    at = end;
    if (type === "IEND") break;
  }
  // Metadata may come behind the pixels, where the decoder finds it too late.
  if (orientation !== 1) chunks.splice(2, 0, pngChunk("eXIf", exifOf(orientation)));
  return { bytes: Buffer.concat(chunks), width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function pngChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length);
  chunk.writeUInt32BE(body.length);
  chunk.write(type, 4, "latin1");
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length);
  return chunk;
}

const webpFlags = { animated: 0x02, exif: 0x08, alpha: 0x10, profile: 0x20 };

/** Throws for damaged files, and `invalidRequest` for animated ones. */
function bareWebp(bytes: Buffer): BarePicture {
  const chunksByType = new Map<string, Buffer>();
  let parts = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    if ((parts += 1) > mostParts) throw new Error("too many chunksByType");
    const type = bytes.toString("latin1", at, at + 4);
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (type === "ANIM" || type === "ANMF") throw refuseAnimated();
    if (!chunksByType.has(type)) chunksByType.set(type, bytes.subarray(at, end));
    at = end + (end % 2);
  }
  const [lossy, lossless, extended] = ["VP8 ", "VP8L", "VP8X"].map((type) => chunksByType.get(type));
  const image = lossy ?? lossless;
  if (image === undefined || image.length < 18) throw new Error("a WebP without pixels");
  const size = lossless === image ? losslessSize(image) : lossySize(image);
  if (extended === undefined) return { bytes: webpFile([image]), ...size };
  if ((extended.readUInt8(8) & webpFlags.animated) !== 0) throw refuseAnimated();

  const [profile, alpha, exif] = ["ICCP", "ALPH", "EXIF"].map((type) => chunksByType.get(type));
  const keptProfile = profile !== undefined && profile.length <= mostProfileBytes ? profile : undefined;
  const orientation = exif === undefined ? 1 : orientationOf(exifIn(exif));
  const head = Buffer.from(extended.subarray(0, 18));
  head[8] =
    (extended.readUInt8(8) & webpFlags.alpha) |
    (keptProfile === undefined ? 0 : webpFlags.profile) |
    (orientation === 1 ? 0 : webpFlags.exif);
  const upright = orientation === 1 ? undefined : webpChunk("EXIF", exifOf(orientation));
  const chunks = [head, keptProfile, alpha, image, upright].filter((part) => part !== undefined);
  const canvas = { width: head.readUIntLE(12, 3) + 1, height: head.readUIntLE(15, 3) + 1 };
  return {
    bytes: webpFile(chunks),
    width: Math.max(size.width, canvas.width),
    height: Math.max(size.height, canvas.height),
  };
}

const lossySize = (image: Buffer) => ({
  width: image.readUInt16LE(14) & 0x3fff,
  height: image.readUInt16LE(16) & 0x3fff,
});

function losslessSize(image: Buffer) {
  const bits = image.readUInt32LE(9);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Some programs put the name that it has in JPEG before it. */
function exifIn(chunk: Buffer): Buffer {
  const body = chunk.subarray(8);
  return body.toString("latin1", 0, 4) === "Exif" ? body.subarray(6) : body;
}

function webpChunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const webpFile = (chunks: readonly Buffer[]): Buffer =>
  webpChunk(
    "RIFF",
    Buffer.concat([
      Buffer.from("WEBP"),
      ...chunks.flatMap((chunk) => (chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)])),
    ]),
  );

/** Real files have some thousand parts at most. */
const mostParts = 20_000;
/** Profiles of screens have a few kilobytes. */
const mostProfileBytes = 65_536;

const orientationTag = 0x0112;

/** Reads the orientation, 1 to 8, from a camera's metadata, and nothing else from them. */
function orientationOf(exif: Buffer): number {
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
function exifOf(orientation: number): Buffer {
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
