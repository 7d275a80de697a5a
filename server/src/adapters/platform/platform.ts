import type { ReelAddress } from "../../ports.ts";
import { canonicalShortcode, mediaIdOfShortcode } from "./media-id.ts";

/** Where a platform is and what may be asked of it. */
export interface Platform {
  /** The name in a reel's address. */
  readonly name: string;
  /** Pages and JSON are asked from here: scheme, host, port, without a slash at the end. */
  readonly origin: string;
  /** Host names at which URLs of reels are understood, whatever their port; nothing is asked of them. Empty: the origin only. */
  readonly urlHosts: readonly string[];
  /** Hosts that wrap a URL into their query, by the name of the parameter. */
  readonly wrappers: Readonly<Record<string, string>>;
  /** Origins that requests and redirects may reach beside `origin`; `https://*.host` means every host below. */
  readonly otherOrigins: readonly string[];
  /** Whether these origins may be at private addresses (loopback and the like). */
  readonly mayBePrivate: boolean;
}

export const publicPlatform: Platform = {
  name: "instagram",
  origin: "https://www.instagram.com",
  urlHosts: [
    "instagram.com",
    "www.instagram.com",
    "m.instagram.com",
    "instagr.am",
    "www.instagr.am",
    "ddinstagram.com",
    "www.ddinstagram.com",
    "d.ddinstagram.com",
    "g.ddinstagram.com",
  ],
  wrappers: { "l.instagram.com": "u" },
  otherOrigins: [
    "https://instagram.com",
    "https://*.instagram.com",
    "https://*.cdninstagram.com",
    "https://*.fbcdn.net",
  ],
  mayBePrivate: false,
};

/** A stand-in of the platform that the operator runs; `origin` and `mediaOrigin` may be anywhere, loopback too. */
export function standinPlatform(standin: { readonly origin: string; readonly mediaOrigin: string }): Platform {
  return {
    name: "standin",
    origin: new URL(standin.origin).origin,
    urlHosts: [],
    wrappers: {},
    otherOrigins: [new URL(standin.mediaOrigin).origin],
    mayBePrivate: true,
  };
}

/** The one address of a reel on a platform, or `undefined` when the shortcode stands for none. */
export function reelAddress(platform: Platform, shortcode: string): ReelAddress | undefined {
  const mediaId = mediaIdOfShortcode(shortcode);
  if (mediaId === undefined) return undefined;
  const code = canonicalShortcode(shortcode);
  return { platform: platform.name, mediaId, shortcode: code, url: `${platform.origin}/reel/${code}/` };
}
