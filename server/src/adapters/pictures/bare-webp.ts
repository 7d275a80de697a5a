import type { BarePicture } from "./bare-picture.ts";
import { refuseAnimated } from "./picture-format.ts";
import { exifOf, mostParts, mostProfileBytes, orientationOf } from "./picture-metadata.ts";

const flags = { animated: 0x02, exif: 0x08, alpha: 0x10, profile: 0x20 };

/** Throws for damaged files, and `invalidRequest` for animated ones. */
export function bareWebp(bytes: Buffer): BarePicture {
  const found = new Map<string, Buffer>();
  let parts = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    if ((parts += 1) > mostParts) throw new Error("too many chunks");
    const type = bytes.toString("latin1", at, at + 4);
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (type === "ANIM" || type === "ANMF") throw refuseAnimated();
    if (!found.has(type)) found.set(type, bytes.subarray(at, end));
    at = end + (end % 2);
  }
  const [lossy, lossless, extended] = ["VP8 ", "VP8L", "VP8X"].map((type) => found.get(type));
  const image = lossy ?? lossless;
  if (image === undefined || image.length < 18) throw new Error("a WebP without pixels");
  const size = lossless === image ? losslessSize(image) : lossySize(image);
  if (extended === undefined) return { bytes: fileOf([image]), ...size };
  if ((extended.readUInt8(8) & flags.animated) !== 0) throw refuseAnimated();

  const [profile, alpha, exif] = ["ICCP", "ALPH", "EXIF"].map((type) => found.get(type));
  const keptProfile = profile !== undefined && profile.length <= mostProfileBytes ? profile : undefined;
  const orientation = exif === undefined ? 1 : orientationOf(exifIn(exif));
  const head = Buffer.from(extended.subarray(0, 18));
  head[8] =
    (extended.readUInt8(8) & flags.alpha) |
    (keptProfile === undefined ? 0 : flags.profile) |
    (orientation === 1 ? 0 : flags.exif);
  const upright = orientation === 1 ? undefined : chunkOf("EXIF", exifOf(orientation));
  const kept = [head, keptProfile, alpha, image, upright].filter((part) => part !== undefined);
  const canvas = { width: head.readUIntLE(12, 3) + 1, height: head.readUIntLE(15, 3) + 1 };
  return {
    bytes: fileOf(kept),
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

function chunkOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const fileOf = (chunks: readonly Buffer[]): Buffer =>
  chunkOf(
    "RIFF",
    Buffer.concat([
      Buffer.from("WEBP"),
      ...chunks.flatMap((chunk) => (chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)])),
    ]),
  );
