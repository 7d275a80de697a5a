import { cutText, type LinkGrammar, type SizedPicture } from "@reelscript/contract/values";
import type { Clock, ReelAddress, ReelDetails } from "../../ports.ts";
import type { PageQuestion } from "../guarded-fetch/guarded-fetch.ts";
import type { SourceFailureKind } from "./source-failure.ts";

/** Everything that is specific to one platform. */
export interface Platform {
  /** The name in a reel's address. */
  readonly name: string;
  /** Pages and JSON are asked from here: scheme, host, port, without a slash at the end. */
  readonly origin: string;
  /** The grammar of its links. Without `hosts`, links are recognized at `origin` only. */
  readonly links: LinkGrammar;
  /** Origins of media, pictures and redirects, in addition to `origin`; `https://*.host` means every host below. */
  readonly otherOrigins: readonly string[];
  /** Allows these origins to be at private addresses (loopback and the like). */
  readonly mayBePrivate: boolean;
  /** The reel that a code in a link names, in one spelling, or `undefined` when the code stands for none. */
  readonly identify: (code: string) => { readonly mediaId: string; readonly code: string } | undefined;
  /** The routes to a reel, in order. They share state that lives as long as they do. */
  readonly createWays: (clock: Clock) => readonly Way[];
  /** True for a code whose form only posts hidden from the public have. */
  readonly isPrivateForm: (code: string) => boolean;
  /** When a media address expires, in milliseconds since 1970, or `undefined` if it doesn't say. */
  readonly endOf: (mediaUrl: string) => number | undefined;
  /** True when a redirect there means that visitors must sign in or wait. */
  readonly isWall: (target: URL) => boolean;
  /** True when a response other than 200 asks visitors to sign in or to wait. */
  readonly asksToWait: (text: string) => boolean;
  /** The name that a page gives to its own route. */
  readonly routeOf: (text: string) => string | undefined;
  /** A response without cookies, tokens and signatures. */
  readonly strikeOut: (text: string) => string;
  readonly ytDlp: YtDlpManners;
}

/** The limit on platforms that have longer videos, too. */
export const longestReelSeconds = 180;

/** How to use yt-dlp for a platform's reels, and how to read its errors. */
export interface YtDlpManners {
  /** The audio to fetch: the video's own, in its first language. */
  readonly format: string;
  /** The fields that have the handle and the name of the author. */
  readonly handle: "channel" | "uploader" | "uploader_id";
  readonly displayName: "channel" | "uploader";
  /** Meanings of its error messages: the first match counts, so the most specific come first. */
  readonly meanings: readonly (readonly [RegExp, SourceFailureKind])[];
  /** True when the platform has live videos, and videos that are too long for a reel. */
  readonly hasLongVideos?: boolean;
  /** True when it needs a JavaScript runtime. */
  readonly runsJavaScript?: boolean;
}

/** Defaults for a platform whose pages only yt-dlp reads. */
export const throughYtDlpAlone = {
  mayBePrivate: false,
  createWays: () => [],
  isPrivateForm: () => false,
  endOf: () => undefined,
  asksToWait: () => false,
  routeOf: () => undefined,
  strikeOut: (text) => text,
} satisfies Partial<Platform>;

/** The one address of a reel on a platform, or `undefined` when the code stands for none. */
export function reelAddress(platform: Platform, text: string): ReelAddress | undefined {
  const reel = platform.identify(text);
  return (
    reel && {
      platform: platform.name,
      mediaId: reel.mediaId,
      shortcode: reel.code,
      url: `${platform.origin}${platform.links.pathOf(reel.code)}`,
    }
  );
}

/** A request to the platform and its response. */
export interface Sighting {
  readonly path: string;
  readonly status: number;
  /** The unchanged response, including anything that it reveals about us; `Platform.strikeOut` makes it safe to store. */
  readonly text: string;
}

interface Sought {
  readonly text: string;
  /** Cookies that the platform sets. */
  readonly cookies: ReadonlyMap<string, string>;
}

/** Requests about one reel, as a visitor without an account. */
export interface PlatformSession {
  readonly origin: string;
  /** Identifies our address, because results for one address aren't shown to requests from another. */
  readonly exit: string;
  readonly signal: AbortSignal;
  /** Every answer so far. */
  readonly seen: readonly Sighting[];
  /** A successful response. Throws `SourceFailure`, or the reason of the signal. */
  ask(path: string, question?: Omit<PageQuestion, "follow" | "onSign">): Promise<Sought>;
}

/** A route to information about a reel. */
export interface Way {
  readonly name: string;
  /** A reel counts as gone only if both kinds say so. */
  readonly kind: "query" | "page";
  /** Throws `SourceFailure`, or the reason of the session's signal. */
  readonly ask: (reel: ReelAddress, session: PlatformSession) => Promise<PlatformMedia>;
}

/** A post with a video, as the platform describes it. */
export interface PlatformMedia {
  readonly details: ReelDetails;
  /** Addresses of the same audio, the cheapest first; at least one. */
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
