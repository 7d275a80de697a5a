import sharp from "sharp";
import type { Picture } from "../../ports.ts";
import { inPictureTurn } from "./picture-turns.ts";

const longestSide = 640;
const mostPixels = 40_000_000;
const longestSeconds = 5;

/** The beginnings of the formats that are read; everything else never reaches a decoder. */
const beginnings: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  jpeg: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  png: (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  webp: (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
};

/**
 * A stranger's picture as pixels of our own: WebP, at most 640 pixels wide and high, upright, without metadata. Takes still
 * JPEG, PNG and WebP of at most 40 million pixels, two at a time; throws for all else, and when too many are waiting.
 */
export const drawAnew = (bytes: Buffer): Promise<Picture> => inPictureTurn(() => draw(bytes));

async function draw(bytes: Buffer): Promise<Picture> {
  const format = Object.keys(beginnings).find((name) => beginnings[name]?.(bytes));
  if (format === undefined) throw new Error("not a picture in JPEG, PNG or WebP");
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: "truncated", sequentialRead: true });
  const { format: found, pages = 1 } = await picture.metadata();
  if (found !== format || pages > 1) throw new Error(`looks like ${format}, but is ${found} of ${pages} pages`);
  const { data, info } = await picture
    .timeout({ seconds: longestSeconds })
    .rotate()
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}
