import { createHmac } from "node:crypto";
import type { StandinReel } from "./standin-reel.ts";

const linkSeconds = 6 * 3600;

export interface MediaLinks {
  video(reel: StandinReel, index: number): string;
  poster(reel: StandinReel, index: number): string;
  avatar(username: string): string;
  /** Whether the link was made here and when it ends; `path` and `query` as received. */
  check(path: string, query: URLSearchParams): "valid" | "forged" | "expired";
}

/** Links that look and end like the platform's: `oe` is the hexadecimal end in seconds, `oh` the seal over path and end. */
export function createMediaLinks(mediaOrigin: () => string, clock: () => Date, secret: string): MediaLinks {
  const seal = (path: string, end: string) =>
    createHmac("sha256", secret).update(`${path}?${end}`).digest("base64url").slice(0, 32);
  const sign = (path: string, seconds = linkSeconds) => {
    const end = (Math.floor(clock().getTime() / 1000) + seconds).toString(16).toUpperCase();
    const query = new URLSearchParams({ _nc_ht: "media", _nc_cat: "104", oh: seal(path, end), oe: end });
    return `${mediaOrigin()}${path}?${query.toString()}`;
  };
  return {
    video(reel, index) {
      const fault = reel.media[index]?.fault;
      if (fault?.name === "link") return fault.url;
      return sign(`/o1/v/t16/f2/m69/${reel.mediaId}_${index}.mp4`, fault?.name === "expiredLink" ? -3600 : linkSeconds);
    },
    poster: (reel, index) => sign(`/v/t51.2885-15/${reel.mediaId}_${index}.jpg`),
    avatar: (username) => sign(`/v/t51.2885-19/${username}.png`),
    check(path, query) {
      const end = query.get("oe") ?? "";
      if (query.get("oh") !== seal(path, end)) return "forged";
      return Number.parseInt(end, 16) * 1000 > clock().getTime() ? "valid" : "expired";
    },
  };
}
