import { wholeCharacters } from "@reelscript/contract/values";
import * as z from "zod";
import type { ReelAddress, ReelDetails } from "../../ports.ts";

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

export const Sized = z.object({ url: WebUrl, width: Pixels, height: Pixels });

interface Picture {
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

/** Those that have an address. */
export const picturesIn = (sized: readonly Partial<z.infer<typeof Sized>>[] | null | undefined): Picture[] =>
  (sized ?? []).flatMap(({ url, width, height }) =>
    url ? [{ url, width: width ?? null, height: height ?? null }] : [],
  );

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

/** A letter with all its marks, or an emoji of several parts, is shorter than this. */
const longestLetter = 64;

/**
 * The beginning of a text, at most `most` characters (UTF-16 units) long. Never ends in the middle of what a reader takes
 * for one character, unless somebody piled up so many marks that it is none.
 */
function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Segmenting a whole text costs memory by its square, so only the surroundings of the end are looked at.
  const from = Math.max(0, most - longestLetter);
  const around = text.slice(from, most + longestLetter);
  const letter = new Intl.Segmenter("und", { granularity: "grapheme" }).segment(around).containing(most - from);
  const start = from + (letter?.index ?? 0);
  if (start > from || from === 0) return text.slice(0, start);
  return wholeCharacters(text, most);
}

/** Sound in a codec that every decoder knows; xHE-AAC (`mp4a.40.42`) is none. */
const commonAudio = /\bcodecs="(mp4a\.40\.(?:2|5|29)|opus)"/;

/**
 * Address of the smallest audio track of an MPEG-DASH manifest of whole files (one `BaseURL` per track, no segments), or
 * `undefined`.
 */
export function dashAudioUrl(manifest: string): string | undefined {
  const tracks = manifest
    .split("<Representation")
    .slice(1)
    .flatMap((track) => {
      const [attributes = "", ...content] = (track.split("</Representation>", 1)[0] ?? "").split(">");
      const url = /<BaseURL[^<>]*>([^<]+)<\/BaseURL>/.exec(content.join(">"))?.[1]?.trim();
      if (url === undefined || !commonAudio.test(attributes)) return [];
      return [{ url: unescapeXml(url), bandwidth: Number(/\bbandwidth="(\d+)"/.exec(attributes)?.[1] ?? Infinity) }];
    });
  const [smallest] = tracks.toSorted((one, other) => one.bandwidth - other.bandwidth);
  return smallest !== undefined && URL.canParse(smallest.url) ? smallest.url : undefined;
}

/** Seconds that an MPEG-DASH manifest states, or `undefined`. */
export function dashSeconds(manifest: string): number | undefined {
  const stated = /\bmediaPresentationDuration="PT(?:(\d{1,3})H)?(?:(\d{1,3})M)?(?:([\d.]{1,12})S)?"/.exec(manifest);
  if (stated === null) return undefined;
  const [hours, minutes, seconds] = stated.slice(1).map((part) => Number(part ?? 0));
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0) || undefined;
}

function unescapeXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
