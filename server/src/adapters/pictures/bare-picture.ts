import { bioLimits } from "@reelscript/contract/values";
import { avifImage } from "./avif-image.ts";
import { bareJpeg } from "./bare-jpeg.ts";
import { barePng } from "./bare-png.ts";
import { bareWebp } from "./bare-webp.ts";
import { type PictureFormat, refuse } from "./picture-format.ts";

/** A picture's file without anything that isn't pixels, a color profile or which side is up. */
export interface BarePicture {
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
