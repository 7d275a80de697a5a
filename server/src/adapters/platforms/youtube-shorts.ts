import { youtubeLinks } from "@reelscript/contract/values";
import { type Platform, throughYtDlpAlone } from "./platform.ts";

export const youtubeShorts: Platform = {
  ...throughYtDlpAlone,
  name: youtubeLinks.platform,
  origin: youtubeLinks.origin,
  links: youtubeLinks,
  otherOrigins: ["https://*.ytimg.com"],
  identify: (code) => (/^[\w-]{11}$/.test(code) ? { mediaId: code, code } : undefined),
  isWall: () => false,
  ytDlp: {
    // The smallest audio track may be a dubbed one.
    format: "bestaudio/worst[acodec!=none]",
    handle: "uploader_id",
    displayName: "channel",
    hasLongVideos: true,
    runsJavaScript: true,
    meanings: [
      [/private video|members[- ]only|join this channel/i, "private"],
      [/confirm your age|age[- ]restricted|inappropriate for some users/i, "ageGated"],
      [/in your country|from your location/i, "regionGated"],
      [/not a bot|captcha|rate-limited|try again later/i, "walled"],
      [/live event will begin|premieres in/i, "notVideo"],
      [
        /video (?:is )?unavailable|no longer available|isn['’]t available|does not exist|removed|terminated/i,
        "deleted",
      ],
    ],
  },
};
