import { createHmac } from "node:crypto";
import type { StandinReel } from "../../reels/standin-reel.ts";

/**
 * `song`: the music under the video. `download`: with an end card. `pictures`: without sound. `unplayable`: in a codec of the
 * platform's own.
 */
export type TikTokFile = "video" | "song" | "download" | "pictures" | "unplayable" | "cover";

/** Links that look like the platform's: signed, and valid for 6 hours. */
export interface TikTokLinks {
  of(reel: StandinReel, file: TikTokFile): string;
  /** The file to which a link leads, or why it is invalid. */
  read(link: URL): { readonly mediaId: string; readonly file: TikTokFile } | "forged" | "expired";
}

const folder = "/video/tos/standin/tos-standin-ve-0068";
const lifetimeSeconds = 6 * 3600;
const endings: Readonly<Record<TikTokFile, string>> = {
  video: "/media-video-avc1/",
  pictures: "/media-video-hvc1/",
  unplayable: "/media-video-vvc1/",
  download: "/download/",
  song: "/media-audio-und-mp4a/",
  cover: "/cover.jpeg",
};

export function createTikTokLinks(origin: string, clock: () => Date, secret: string): TikTokLinks {
  const seal = (path: string, end: string) =>
    createHmac("sha256", secret).update(`${path}?${end}`).digest("hex").slice(0, 32);
  return {
    of({ mediaId }, file) {
      const path = `${folder}/${mediaId}${endings[file]}`;
      const end = String(Math.floor(clock().getTime() / 1000) + lifetimeSeconds);
      const type = file === "song" ? "audio_mp4" : "video_mp4";
      const query = new URLSearchParams({ a: "1988", mime_type: type, expire: end, signature: seal(path, end) });
      return `${origin}${path}?${query.toString()}`;
    },
    read({ pathname, searchParams }) {
      const end = searchParams.get("expire") ?? "";
      const [, mediaId = ""] = /\/(\d+)\/[\w.-]+\/?$/.exec(pathname) ?? [];
      const file = (Object.keys(endings) as TikTokFile[]).find((name) => pathname.endsWith(endings[name]));
      if (file === undefined || searchParams.get("signature") !== seal(pathname, end)) return "forged";
      return Number(end) * 1000 > clock().getTime() ? { mediaId, file } : "expired";
    },
  };
}
