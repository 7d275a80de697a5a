import { tiktokLinks } from "@reelscript/contract/values";
import { type Platform, throughYtDlpAlone } from "./platform.ts";

export const tiktok: Platform = {
  ...throughYtDlpAlone,
  name: tiktokLinks.platform,
  origin: tiktokLinks.origin,
  links: tiktokLinks,
  otherOrigins: [
    "https://tiktok.com",
    "https://*.tiktok.com",
    "https://*.tiktokcdn.com",
    "https://*.tiktokcdn-us.com",
    "https://*.tiktokcdn-eu.com",
  ],
  identify: (code) => (/^[1-9]\d{7,18}$/.test(code) ? { mediaId: code, code } : undefined),
  isWall: ({ pathname }) => /^\/login(?:\/|$)/.test(pathname),
  ytDlp: {
    // The only separate track is the song under the video. It is right for photos, which have nothing else.
    format: "worst[acodec!=none][format_id!^=download][format_note!*=?UNPLAYABLE]/bestaudio",
    handle: "uploader",
    displayName: "channel",
    meanings: [
      [/do not have permission to view this post/i, "private"],
      [/not be comfortable for some audiences/i, "ageGated"],
      // The message for posts that are blocked in a country, and for missing ones.
      [/IP address is blocked/i, "regionGated"],
      [/requiring login|please wait|JS challenge|challenge data/i, "walled"],
      [/video not available/i, "deleted"],
    ],
  },
};
