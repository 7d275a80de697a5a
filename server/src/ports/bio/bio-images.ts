/** Every image is kept in these forms. */
export const imageForms = ["large.webp", "large.jpg", "small.webp", "small.jpg"] as const;
export type ImageForm = (typeof imageForms)[number];

/** An image redrawn: without metadata, upright, large at most 1600 and small at most 640 pixels wide and high. */
export interface DrawnImage {
  /** Of the large forms. */
  readonly width: number;
  readonly height: number;
  readonly files: Readonly<Record<ImageForm, Uint8Array>>;
}

/** The part of an upright image that is kept, in parts of its width and height: 0 to 1. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Images that people bring. What it throws of the image is a `ServiceError` whose message begins in small letters. */
export interface ImageSource {
  /** What is at a public https URL, at most `bioLimits.imageBytes`. Throws `invalidRequest`, or the reason of the signal. */
  fetch(url: string, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Takes still JPEG, PNG, WebP and AVIF of at most `bioLimits.imageMegapixels`, AVIF of fewer and without transparency, one
   * of an account at a time. Throws `invalidRequest`, `rateLimited` when too many of the account wait, `unavailable` when too
   * many of all do.
   */
  draw(accountId: string, bytes: Uint8Array, crop?: Crop): Promise<DrawnImage>;
}

/** The images of bio pages, each an account's own. */
export interface BioImages {
  /** The image's id, the same for the same image of an account; `undefined` when the account has `bioLimits.images`. */
  keep(accountId: string, image: DrawnImage, now: Date): Promise<string | undefined>;
  /** Which of these the account has. */
  owned(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** For everybody. */
  read(id: string, form: ImageForm): Promise<Uint8Array | undefined>;
}
