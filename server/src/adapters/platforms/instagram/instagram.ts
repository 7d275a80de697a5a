import { instagramIdOf, instagramLinks, isPrivateInstagramCode } from "@reelscript/contract/values";
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
    const mediaId = instagramIdOf(code);
    // One spelling per reel: a public code loses leading zero digits, a private form is kept whole because pages need it.
    const isWhole = isPrivateInstagramCode(code);
    return mediaId === undefined ? undefined : { mediaId, code: isWhole ? code : code.replace(/^A+/, "") };
  },
  createWays: createInstagramWays,
  isPrivateForm: isPrivateInstagramCode,
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
