import sharp, { type Sharp } from "sharp";
import type { Picture, Crop, DrawnImage } from "../../ports.ts";
import { barePicture, mostPixelsOf } from "./bare-picture.ts";
import { refuse, formatOf } from "./picture-format.ts";

/** A picture that will be drawn upright, and its size then. Throws `invalidRequest` if it can't be drawn. */
async function openPicture(given: Buffer) {
  const format = formatOf(given);
  const { bytes } = barePicture(given, format);
  const picture = sharp(bytes, { limitInputPixels: mostPixelsOf(format), failOn: "truncated", sequentialRead: true });
  const { format: fileFormat, compression, pages = 1, width, height, orientation = 1 } = await picture.metadata();
  if ((compression === "av1" ? "avif" : fileFormat) !== format || pages > 1)
    throw refuse("this is not a still image in JPEG, PNG, WebP or AVIF.");
  const upright = orientation >= 5 ? { width: height, height: width } : { width, height };
  return { picture: picture.rotate(), ...upright };
}

const longestSide = 640;

/** A picture of a platform as WebP, at most 640 pixels wide and high. */
export async function drawThumbnail(bytes: Buffer): Promise<Picture> {
  const { picture } = await openPicture(bytes);
  const { data, info } = await picture
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

const longestLarge = 1_600;

/** A portrait is most of a page's weight: the first of these qualities that is small enough is used for the small form. */
const mostSmallBytes = 30_000;
const smallTries = [
  { longest: 640, quality: 80 },
  { longest: 640, quality: 60 },
  { longest: 640, quality: 40 },
  { longest: 480, quality: 40 },
  { longest: 320, quality: 40 },
  { longest: 320, quality: 15 },
] as const;

/** See `ImageSource.draw`. */
export async function drawImage(bytes: Buffer, crop: Crop | undefined): Promise<DrawnImage> {
  const { picture, ...upright } = await openPicture(bytes);
  const { data, info } = await (crop === undefined ? picture : picture.extract(pixelsOf(crop, upright)))
    .resize({ width: longestLarge, height: longestLarge, fit: "inside", withoutEnlargement: true })
    .toColorspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const drawn = (): Sharp => sharp(data, { raw: { width, height, channels } });
  const large = await drawn().webp({ quality: 80 }).toBuffer();
  const largeJpeg = await onWhite(drawn()).jpeg({ quality: 82, mozjpeg: true }).toBuffer();
  return {
    width,
    height,
    files: { "large.webp": large, "large.jpg": largeJpeg, ...(await drawSmall(drawn)) },
  };
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
