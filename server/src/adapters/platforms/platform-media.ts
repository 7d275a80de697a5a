import * as z from "zod";
import type { ReelAddress, ReelDetails } from "../../ports.ts";
import { cutText } from "./cut-text.ts";

/** What the platform says about a post with a video. */
export interface PlatformMedia {
  readonly details: ReelDetails;
  /** Addresses of the same sound, the cheapest first; at least one. */
  readonly mediaUrls: readonly [string, ...string[]];
}

/** A field that may be missing, null or of another type than it used to be: then it is null. */
export function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().catch(null);
}

/** Hidden counts are null or -1. */
export const Count = lenient(z.int().min(0));
/** For comparing only: texts that are kept have a schema that bounds them. */
export const Word = lenient(z.string());
/** What is longer is cut: the platform takes 2,200 characters. */
export const Caption = lenient(z.string().transform((text) => cutText(text, 10_000)));
export const DisplayName = lenient(z.string().transform((text) => cutText(text, 200)));
/** Half a handle would name somebody else. */
export const AuthorHandle = lenient(z.string().max(100));
/** Half a manifest is none. */
export const Manifest = lenient(z.string().max(500_000));
export const Flag = lenient(z.boolean());
export const Pixels = lenient(z.int().min(1));
export const Positive = lenient(z.number().positive());
/** Signed addresses of media take several hundred characters. */
export const WebUrl = lenient(z.url({ protocol: /^https?$/ }).max(4_096));

export interface Picture {
  readonly url: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** The values of a reel as read, `null` or `undefined` where the platform does not tell. */
export interface RawDetails {
  readonly caption: string | null | undefined;
  readonly handle: string | null | undefined;
  readonly displayName: string | null | undefined;
  readonly verified: boolean | null | undefined;
  readonly pictures: readonly Picture[];
  readonly width: number | null | undefined;
  readonly height: number | null | undefined;
  readonly durationSeconds: number | null | undefined;
  readonly hasAudio: boolean | null | undefined;
  readonly views: number | null | undefined;
  readonly likes: number | null | undefined;
  readonly comments: number | null | undefined;
  /** Seconds since 1970. */
  readonly takenAt: number | null | undefined;
}

export function reelDetails(reel: ReelAddress, raw: RawDetails): ReelDetails {
  return {
    platform: reel.platform,
    mediaId: reel.mediaId,
    shortcode: reel.shortcode,
    url: reel.url,
    caption: raw.caption || null,
    author: {
      handle: raw.handle || null,
      displayName: raw.displayName || null,
      verified: raw.verified ?? null,
    },
    thumbnail: raw.pictures.toSorted((one, other) => areaOf(other) - areaOf(one))[0] ?? null,
    dimensions: dimensions(raw.width, raw.height),
    durationSeconds: raw.durationSeconds ?? null,
    hasAudio: raw.hasAudio ?? null,
    views: raw.views ?? null,
    likes: raw.likes ?? null,
    comments: raw.comments ?? null,
    postedAt: momentOf(raw.takenAt),
  };
}

function areaOf({ width, height }: Picture): number {
  return (width ?? 0) * (height ?? 0);
}

function dimensions(width: number | null | undefined, height: number | null | undefined): ReelDetails["dimensions"] {
  if (!width || !height) return null;
  const divisor = greatestCommonDivisor(width, height);
  return { width, height, aspectRatio: `${width / divisor}:${height / divisor}` };
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

function momentOf(seconds: number | null | undefined): string | null {
  const moment = new Date((seconds ?? Number.NaN) * 1_000);
  const year = moment.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? moment.toISOString() : null;
}
