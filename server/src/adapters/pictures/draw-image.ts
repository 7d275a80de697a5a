import { bioLimits, ServiceError } from "@reelscript/contract";
import sharp, { type Sharp } from "sharp";
import type { Crop, DrawnImage } from "../../ports.ts";
import { avifImage } from "./avif-image.ts";
import { inPictureTurn } from "./picture-turns.ts";

const longestLarge = 1_600;
const longestSeconds = 20;
/**
 * Unlike the others, AVIF is unpacked as a whole: 25 bytes a pixel. This bounds it because `avifImage` admits only one
 * frame, and the decoder refuses a frame larger than the file states.
 */
const mostAvifPixels = 16_000_000;

/** A portrait is most of what a page weighs: the first of these that is light enough is the small form. */
const mostSmallBytes = 30_000;
const smallTries = [
  { longest: 640, quality: 80 },
  { longest: 640, quality: 60 },
  { longest: 640, quality: 40 },
  { longest: 480, quality: 40 },
  { longest: 320, quality: 40 },
  { longest: 320, quality: 15 },
] as const;

const refuse = (message: string, cause?: unknown): ServiceError =>
  new ServiceError("invalidRequest", message, { status: 422, cause });

/** See `ImageSource.draw`. Two are drawn at a time, whoever asks. */
export async function drawImage(bytes: Uint8Array, crop?: Crop): Promise<DrawnImage> {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(given);
  const busy = new ServiceError("unavailable", "Too many images are being drawn. Try again.", { retryAfter: 10 });
  let began = false;
  return inPictureTurn(() => {
    began = true;
    return draw(given, format, crop);
  }).catch((error: unknown) => {
    if (!began) throw busy;
    if (error instanceof ServiceError) throw error;
    throw refuse(
      "the image is damaged, or takes too long to draw. Save it again as JPEG or PNG, then upload it.",
      error,
    );
  });
}

type Format = "jpeg" | "png" | "webp" | "avif";

const mostPixelsOf = (format: Format): number =>
  format === "avif" ? mostAvifPixels : bioLimits.imageMegapixels * 1_000_000;

/** What cannot be drawn never reaches a decoder. */
function formatOf(bytes: Buffer): Format {
  const head = bytes.toString("latin1", 0, 16);
  const animated = (): ServiceError =>
    refuse("the image is animated. Only still images are possible: save one frame of it as JPEG or PNG.");
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) {
    const frames = bytes.indexOf("acTL");
    if (frames >= 0 && frames < bytes.indexOf("IDAT")) throw animated();
    return "png";
  }
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") {
    if (head.slice(12, 16) === "VP8X" && ((bytes[20] ?? 0) & 2) !== 0) throw animated();
    return "webp";
  }
  if (/^GIF8[79]a/.test(head)) throw refuse("the image is a GIF. Save it as JPEG, PNG, WebP or AVIF and try again.");
  const brands = brandsOf(bytes);
  if (brands.some((brand) => brand === "avis" || brand === "msf1")) throw animated();
  if (brands.includes("avif")) return "avif";
  if (/^(?:hei|hev|mif1)/.test(brands[0] ?? ""))
    throw refuse("the image is in HEIC. Save it as JPEG, PNG, WebP or AVIF and try again.");
  throw new ServiceError("invalidRequest", "this is not an image in JPEG, PNG, WebP or AVIF.", { status: 415 });
}

/** What a file of the family of MP4 says that it can be read as, the best first. */
function brandsOf(bytes: Buffer): readonly string[] {
  if (bytes.toString("latin1", 4, 8) !== "ftyp") return [];
  const [main = "", , ...others] =
    bytes.toString("latin1", 8, Math.min(bytes.readUInt32BE(0), 256)).match(/.{4}/gs) ?? [];
  return [main, ...others];
}

async function draw(bytes: Buffer, format: Format, crop: Crop | undefined): Promise<DrawnImage> {
  const mostPixels = mostPixelsOf(format);
  const open = (): Sharp => sharp(bytes, { limitInputPixels: mostPixels, failOn: "truncated", sequentialRead: true });
  if (format === "avif") checkPixels(avifImage(bytes) ?? refuseLayers(), mostPixels);
  // The size is in the file's head; nothing is unpacked for it.
  const {
    format: found,
    compression,
    pages = 1,
    width,
    height,
    orientation = 1,
  } = await sharp(bytes, {
    limitInputPixels: false,
  }).metadata();
  if ((compression === "av1" ? "avif" : found) !== format || pages > 1)
    throw refuse("this is not a still image in JPEG, PNG, WebP or AVIF.");
  checkPixels({ width, height }, mostPixels);
  const upright = orientation >= 5 ? { width: height, height: width } : { width, height };
  const whole = open().timeout({ seconds: longestSeconds }).rotate();
  const { data, info } = await (crop === undefined ? whole : whole.extract(pixelsOf(crop, upright)))
    .resize({ width: longestLarge, height: longestLarge, fit: "inside", withoutEnlargement: true })
    .toColorspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: drawnWidth, height: drawnHeight, channels } = info;
  const drawn = (): Sharp => sharp(data, { raw: { width: drawnWidth, height: drawnHeight, channels } });
  const large = await drawn().webp({ quality: 80 }).toBuffer();
  const largeJpeg = await onWhite(drawn()).jpeg({ quality: 82, mozjpeg: true }).toBuffer();
  return {
    width: drawnWidth,
    height: drawnHeight,
    files: { "large.webp": large, "large.jpg": largeJpeg, ...(await drawSmall(drawn)) },
  };
}

function checkPixels({ width, height }: { readonly width: number; readonly height: number }, most: number): void {
  if (width * height > most)
    throw refuse(
      `the image has ${width} by ${height} pixels, more than ${most / 1_000_000} million. Make it smaller and try again.`,
    );
}

function refuseLayers(): never {
  throw refuse("the image is transparent, or has several layers or tiles. Save it as PNG or WebP and try again.");
}

async function drawSmall(drawn: () => Sharp): Promise<Pick<DrawnImage["files"], "small.webp" | "small.jpg">> {
  let webp: Buffer | undefined;
  let longest: number = smallTries[0].longest;
  const sized = (): Sharp =>
    drawn().resize({ width: longest, height: longest, fit: "inside", withoutEnlargement: true });
  for (const one of smallTries) {
    ({ longest } = one);
    webp = await sized().webp({ quality: one.quality }).toBuffer();
    if (webp.length <= mostSmallBytes) break;
  }
  const jpeg = await onWhite(sized()).jpeg({ quality: 75, mozjpeg: true }).toBuffer();
  return { "small.webp": webp!, "small.jpg": jpeg }; // safe: there are several tries
}

/** JPEG has no see-through pixels. */
const onWhite = (picture: Sharp): Sharp => picture.flatten({ background: "#fff" });

function pixelsOf(crop: Crop, { width, height }: { readonly width: number; readonly height: number }) {
  const left = Math.min(width - 1, Math.round(crop.left * width));
  const top = Math.min(height - 1, Math.round(crop.top * height));
  return {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.round(crop.width * width))),
    height: Math.max(1, Math.min(height - top, Math.round(crop.height * height))),
  };
}
