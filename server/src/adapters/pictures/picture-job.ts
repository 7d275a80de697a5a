import type { Crop, DrawnImage, Picture } from "../../ports.ts";

/** The picture process does one job at a time. */
export type PictureJob =
  | { readonly kind: "image"; readonly bytes: Uint8Array; readonly crop: Crop | undefined }
  | { readonly kind: "thumbnail"; readonly bytes: Uint8Array };

export type PictureOf<Job extends PictureJob> = Job extends { readonly kind: "image" } ? DrawnImage : Picture;

export type PictureAnswer =
  | { readonly drawn: DrawnImage | Picture }
  /** `status` where the message is for the caller. */
  | { readonly failed: string; readonly status?: number };
