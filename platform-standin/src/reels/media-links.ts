import { createHmac } from "node:crypto";
import type { StandinReel } from "./standin-reel.ts";

const hour = 3600;
/** Links to videos expire sooner than links to pictures. */
const lifetimes = { video: 32 * hour, picture: 104 * hour };

/** A separate file in a manifest. */
export type TrackName = "audio" | "video" | "unreadable";

/**
 * Links that look and expire like the platform's: `oe` is the expiry in hexadecimal seconds, `oh` the signature of path and
 * expiry, and `efg` the video's facts as JSON in base64.
 */
export interface MediaLinks {
  /** The whole video at this index in the post, or the link that its fault specifies. */
  readonly video: (reel: StandinReel, index: number) => string;
  readonly track: (reel: StandinReel, index: number, track: TrackName) => string;
  readonly poster: (reel: StandinReel, index: number) => string;
  readonly avatar: (username: string) => string;
  /** Checks that the link was made here and hasn't expired; takes `path` and `query` as received. */
  readonly check: (path: string, query: URLSearchParams) => "valid" | "forged" | "expired";
}

export function createMediaLinks(mediaOrigin: () => string, clock: () => Date, secret: string): MediaLinks {
  const requestsByCode = new Map<string, number>();
  const seal = (path: string, end: string) =>
    createHmac("sha256", secret).update(`${path}?${end}`).digest("base64url").slice(0, 32);
  const sign = (path: string, seconds: number, parameters = {}) => {
    const end = (Math.floor(clock().getTime() / 1000) + seconds).toString(16).toUpperCase();
    const query = new URLSearchParams({ _nc_ht: "media", _nc_cat: "104", ...parameters, oh: seal(path, end), oe: end });
    return `${mediaOrigin()}${path}?${query.toString()}`;
  };
  const hasEnded = (reel: StandinReel, index: number): boolean => {
    const fault = reel.media[index]?.fault?.name;
    if (fault !== "endedOnce") return fault === "expiredLink";
    const times = (requestsByCode.get(reel.code) ?? 0) + 1;
    requestsByCode.set(reel.code, times);
    return times === 1;
  };
  const file = (reel: StandinReel, index: number, name: string) => {
    const media = reel.media[index];
    const facts = { vencode_tag: "xpv_progressive.CLIPS", duration_s: Math.round(media?.seconds ?? 0) };
    const efg = Buffer.from(JSON.stringify(facts)).toString("base64");
    const path = `/o1/v/t16/f2/m69/${reel.mediaId}_${index}${name}.mp4`;
    return sign(path, hasEnded(reel, index) ? -hour : lifetimes.video, { efg });
  };
  return {
    video(reel, index) {
      const fault = reel.media[index]?.fault;
      return fault?.name === "link" ? fault.url : file(reel, index, "");
    },
    track: (reel, index, track) => file(reel, index, `_${track}`),
    poster: (reel, index) => sign(`/v/t51.2885-15/${reel.mediaId}_${index}.jpg`, lifetimes.picture),
    avatar: (username) => sign(`/v/t51.2885-19/${username}.png`, lifetimes.picture),
    check(path, query) {
      const end = query.get("oe") ?? "";
      if (query.get("oh") !== seal(path, end)) return "forged";
      return Number.parseInt(end, 16) * 1000 > clock().getTime() ? "valid" : "expired";
    },
  };
}
