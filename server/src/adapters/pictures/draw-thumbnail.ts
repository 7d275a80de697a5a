import type { Picture } from "../../ports.ts";
import { formatOf } from "./picture-format.ts";
import { openPicture } from "./open-picture.ts";

const longestSide = 640;

/** A picture of a platform as WebP, at most 640 pixels wide and high. */
export async function drawThumbnail(bytes: Buffer): Promise<Picture> {
  const { picture } = await openPicture(bytes, formatOf(bytes));
  const { data, info } = await picture
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}
