import { crc32 } from "node:zlib";
import type { BarePicture } from "./bare-picture.ts";
import { refuseAnimated } from "./picture-format.ts";
import { exifOf, mostParts, mostProfileBytes, orientationOf } from "./picture-metadata.ts";

const pixels = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
const signatureBytes = 8;

/** Throws for damaged files, and `invalidRequest` for animated ones. */
export function barePng(bytes: Buffer): BarePicture {
  if (bytes.toString("latin1", 12, 16) !== "IHDR" || bytes.length < 33) throw new Error("a PNG without a head");
  const kept = [bytes.subarray(0, signatureBytes)];
  let profiles = 0;
  let orientation = 1;
  let [at, parts] = [signatureBytes, 0];
  while (at + 12 <= bytes.length) {
    if ((parts += 1) > mostParts) throw new Error("too many chunks");
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "acTL") throw refuseAnimated();
    if (type === "eXIf") orientation = orientationOf(bytes.subarray(at + 8, end - 4));
    // Of a file that is cut off, the decoder says so.
    const isProfile = type === "iCCP" && length <= mostProfileBytes && (profiles += 1) === 1;
    if (pixels.has(type) || isProfile) kept.push(bytes.subarray(at, end));
    at = end;
    if (type === "IEND") break;
  }
  // Metadata may come behind the pixels, where the decoder finds it too late.
  if (orientation !== 1) kept.splice(2, 0, chunkOf("eXIf", exifOf(orientation)));
  return { bytes: Buffer.concat(kept), width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function chunkOf(type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length);
  chunk.writeUInt32BE(body.length);
  chunk.write(type, 4, "latin1");
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length);
  return chunk;
}
