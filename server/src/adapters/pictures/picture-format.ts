import { ServiceError } from "@reelscript/contract/values";

export type PictureFormat = "jpeg" | "png" | "webp" | "avif";

/** Creates the caller's error for an image that can't be drawn. */
export const refuse = (message: string, cause?: unknown): ServiceError =>
  new ServiceError("invalidRequest", message, { status: 422, cause });

export const refuseAnimated = (): ServiceError =>
  refuse("the image is animated. Only still images are possible: save one frame of it as JPEG or PNG.");

/** The first bytes decide, never a name or a header. Throws `invalidRequest` for everything that isn't drawn. */
export function formatOf(bytes: Buffer): PictureFormat {
  const head = bytes.toString("latin1", 0, 16);
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "webp";
  if (/^GIF8[79]a/.test(head)) throw refuse("the image is a GIF. Save it as JPEG, PNG, WebP or AVIF and try again.");
  const brands = brandsOf(bytes);
  if (brands.some((brand) => brand === "avis" || brand === "msf1")) throw refuseAnimated();
  if (brands.includes("avif")) return "avif";
  if (/^(?:hei|hev|mif1)/.test(brands[0] ?? ""))
    throw refuse("the image is in HEIC. Save it as JPEG, PNG, WebP or AVIF and try again.");
  throw new ServiceError("invalidRequest", "this is not an image in JPEG, PNG, WebP or AVIF.", { status: 415 });
}

/** Reads the formats that a file of the MP4 family declares, the best first. */
function brandsOf(bytes: Buffer): readonly string[] {
  if (bytes.toString("latin1", 4, 8) !== "ftyp") return [];
  const [main = "", , ...others] =
    bytes.toString("latin1", 8, Math.min(bytes.readUInt32BE(0), 256)).match(/.{4}/gs) ?? [];
  return [main, ...others];
}
