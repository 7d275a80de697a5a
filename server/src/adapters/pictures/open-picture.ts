import sharp, { type Sharp } from "sharp";
import { barePicture, mostPixelsOf } from "./bare-picture.ts";
import { type PictureFormat, refuse } from "./picture-format.ts";

/** A picture that is upright when it is drawn, and its size then. Throws `invalidRequest` when it can't be drawn. */
export async function openPicture(
  given: Buffer,
  format: PictureFormat,
): Promise<{ readonly picture: Sharp; readonly width: number; readonly height: number }> {
  const { bytes } = barePicture(given, format);
  const picture = sharp(bytes, { limitInputPixels: mostPixelsOf(format), failOn: "truncated", sequentialRead: true });
  const { format: found, compression, pages = 1, width, height, orientation = 1 } = await picture.metadata();
  if ((compression === "av1" ? "avif" : found) !== format || pages > 1)
    throw refuse("this is not a still image in JPEG, PNG, WebP or AVIF.");
  const upright = orientation >= 5 ? { width: height, height: width } : { width, height };
  return { picture: picture.rotate(), ...upright };
}
