import { cutText, type SizedPicture } from "@reelscript/contract/values";
import type { ReelAddress, ReelDetails } from "../../ports.ts";

/** A post with a video, as the platform describes it. */
export interface PlatformMedia {
  readonly details: ReelDetails;
  /** Addresses of the same sound, the cheapest first; at least one. */
  readonly mediaUrls: readonly [string, ...string[]];
}

/** The values of a reel as read; `null` if the platform gives none. */
type RawDetails = Pick<ReelDetails, "caption" | "durationSeconds" | "hasAudio" | "views" | "likes" | "comments"> &
  ReelDetails["author"] & {
    readonly pictures: readonly SizedPicture[];
    readonly width: number | null;
    readonly height: number | null;
    /** Seconds since 1970. */
    readonly takenAt: number | null;
  };

/** The platform takes 2,200 characters. */
const longestCaption = 10_000;
const longestName = 200;
/** Half a handle would name another account. */
const longestHandle = 100;

export function reelDetails(reel: ReelAddress, raw: RawDetails): ReelDetails {
  return {
    platform: reel.platform,
    mediaId: reel.mediaId,
    shortcode: reel.shortcode,
    url: reel.url,
    caption: raw.caption && cutText(raw.caption, longestCaption),
    author: {
      handle: raw.handle !== null && raw.handle.length <= longestHandle ? raw.handle : null,
      displayName: raw.displayName && cutText(raw.displayName, longestName),
      verified: raw.verified,
    },
    thumbnail: raw.pictures.toSorted((one, other) => areaOf(other) - areaOf(one))[0] ?? null,
    dimensions: dimensions(raw.width, raw.height),
    durationSeconds: raw.durationSeconds,
    hasAudio: raw.hasAudio,
    views: raw.views,
    likes: raw.likes,
    comments: raw.comments,
    postedAt: momentOf(raw.takenAt),
  };
}

function areaOf({ width, height }: SizedPicture): number {
  return (width ?? 0) * (height ?? 0);
}

function dimensions(width: number | null, height: number | null): ReelDetails["dimensions"] {
  if (!width || !height) return null;
  const divisor = greatestCommonDivisor(width, height);
  return { width, height, aspectRatio: `${width / divisor}:${height / divisor}` };
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

function momentOf(seconds: number | null): string | null {
  const moment = new Date((seconds ?? Number.NaN) * 1_000);
  const year = moment.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? moment.toISOString() : null;
}

/** Sound in a codec that every decoder supports, which excludes xHE-AAC (`mp4a.40.42`). */
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
