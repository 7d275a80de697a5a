import { instagramLinks } from "@reelscript/contract/values";
import type { Platform } from "../platform.ts";
import { createInstagramWays } from "./instagram-ways.ts";
import { canonicalShortcode, mediaIdOfShortcode, suffixLength } from "./media-id.ts";
import { endOf } from "./media-address.ts";
import { asksToWait, routeOf } from "./page-scripts.ts";
import { strikeOut } from "./strike-out.ts";

export const instagram: Platform = {
  name: "instagram",
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
  ytDlpMeanings: [
    [/users who follow this account|account is private|private (?:video|post)/i, "private"],
    [/restricted video|age[- ]restricted|\b\d\d years old\b|confirm your age/i, "ageGated"],
    [/no video in this post/i, "notVideo"],
    [/isn't available|does not exist|removed/i, "deleted"],
    [/rate-?limit|log ?in|logged|not granting access|wait a few minutes|challenge/i, "walled"],
  ],
};
