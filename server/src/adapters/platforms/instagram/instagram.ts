import { instagramLinks } from "@reelscript/contract/values";
import type { Platform } from "../platform.ts";
import { createInstagramWays } from "./instagram-ways.ts";
import { endOf } from "./read-post.ts";
import { asksToWait, routeOf } from "./front-page.ts";
import { strikeOut } from "./strike-out.ts";

export const instagram: Platform = {
  name: instagramLinks.platform,
  origin: instagramLinks.origin,
  links: instagramLinks,
  otherOrigins: [
    "https://instagram.com",
    "https://*.instagram.com",
    "https://*.cdninstagram.com",
    "https://*.fbcdn.net",
  ],
  mayBePrivate: false,
  identify(code) {
    const mediaId = mediaIdOfShortcode(code);
    return mediaId === undefined ? undefined : { mediaId, code: canonicalShortcode(code) };
  },
  createWays: createInstagramWays,
  isPrivateForm: (code) => code.length > suffixLength,
  endOf,
  isWall: ({ pathname }) => /^\/(?:accounts|challenge|consent|checkpoint)(?:\/|$)/.test(pathname),
  asksToWait,
  routeOf,
  strikeOut,
  ytDlp: {
    format: "bestaudio[acodec!^=mp4a.40.42]/worst[acodec!=none]/worst",
    handle: "channel",
    displayName: "uploader",
    meanings: [
      [/users who follow this account|account is private|private (?:video|post)/i, "private"],
      [/restricted video|age[- ]restricted|\b\d\d years old\b|confirm your age/i, "ageGated"],
      [/no video in this post/i, "notVideo"],
      [/isn't available|does not exist|removed/i, "deleted"],
      [/rate-?limit|log ?in|logged|not granting access|wait a few minutes|challenge/i, "walled"],
    ],
  },
};

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Posts of private accounts carry a code that is longer than this; its last 28 characters are no part of the number. */
const suffixLength = 28;
const largestId = 2n ** 63n - 1n;

/** The decimal media id that a shortcode stands for (base 64, big-endian), or `undefined` when it cannot stand for one. */
export function mediaIdOfShortcode(shortcode: string): string | undefined {
  const digits = shortcode.length > suffixLength ? shortcode.slice(0, -suffixLength) : shortcode;
  let id = 0n;
  for (const character of digits) {
    const value = alphabet.indexOf(character);
    if (value < 0) return undefined;
    id = id * 64n + BigInt(value);
    if (id > largestId) return undefined;
  }
  return id === 0n ? undefined : String(id);
}

/** One spelling per reel: a public code loses leading zero digits, a private form is kept whole because pages need it. */
export function canonicalShortcode(shortcode: string): string {
  return shortcode.length > suffixLength ? shortcode : shortcode.replace(/^A+/, "");
}
