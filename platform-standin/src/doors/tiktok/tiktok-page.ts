import { createHash } from "node:crypto";
import { isShown, type StandinReel } from "../../reels/standin-reel.ts";
import { escapeHtml, scriptJson } from "../markup.ts";
import type { TikTokLinks } from "./tiktok-links.ts";

type Json = Record<string, unknown>;

/** Status in a page that doesn't show the post. */
const statusOf = ({ availability, owner }: StandinReel): number => {
  if (availability === "private") return owner.private ? 10_222 : 10_216;
  return availability === "deleted" ? 10_231 : 10_204;
};

/** A post's page, whose data are in one script. */
export function tiktokPage(reel: StandinReel | undefined, links: TikTokLinks): string {
  const isClassified = reel?.availability === "ageGated";
  const detail =
    reel !== undefined && (isShown(reel) || isClassified)
      ? {
          itemInfo: {
            itemStruct: isClassified ? { id: reel.mediaId, isContentClassified: true } : itemOf(reel, links),
          },
          statusCode: 0,
          statusMsg: "",
        }
      : { statusCode: reel === undefined ? 10_204 : statusOf(reel), statusMsg: "item doesn't exist" };
  const scope = { "webapp.app-context": { language: "en", region: "US" }, "webapp.video-detail": detail };
  return page(
    `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${scriptJson({ __DEFAULT_SCOPE__: scope })}</script>`,
  );
}

function itemOf(reel: StandinReel, links: TikTokLinks): Json {
  const { mediaId, owner, caption, takenAt, music } = reel;
  return {
    id: mediaId,
    desc: caption ?? "",
    createTime: String(takenAt),
    author: {
      id: owner.id,
      uniqueId: owner.username,
      nickname: owner.fullName,
      secUid: `MS4wLjABAAAA${owner.id}`,
      verified: owner.verified,
      privateAccount: owner.private,
    },
    music: {
      id: `${mediaId}1`,
      title: music?.title ?? "original sound",
      authorName: music?.artist ?? owner.fullName,
      original: music === null,
      duration: Math.round(reel.seconds),
      playUrl: links.of(reel, "song"),
    },
    stats: {
      playCount: reel.plays ?? 0,
      diggCount: reel.likes ?? 0,
      shareCount: 12,
      commentCount: reel.comments,
      collectCount: "31",
    },
    isContentClassified: false,
    ...videoOf(reel, links),
  };
}

function videoOf(reel: StandinReel, links: TikTokLinks): Json {
  const [first] = reel.media;
  const cover = links.of(reel, "cover");
  const id = { id: reel.mediaId, ratio: "540p", cover, originCover: cover };
  if (first === undefined || first.type === "photo")
    return {
      imagePost: { images: [{ imageURL: { urlList: [cover] } }] },
      video: { ...id, duration: 0, bitrateInfo: [] },
    };
  const { width, height, seconds } = first;
  const of = (codec: string, bitrate: number, file: "video" | "pictures" | "unplayable"): Json => ({
    Bitrate: bitrate,
    CodecType: codec,
    PlayAddr: {
      DataSize: String(Math.round((bitrate / 8) * seconds)),
      UrlKey: `v12044gd0000standin_${codec}_540p_${bitrate}`,
      UrlList: [links.of(reel, file), `https://www.tiktok.com/aweme/v1/play/?item_id=${reel.mediaId}`],
    },
  });
  return {
    video: {
      ...id,
      width,
      height,
      duration: Math.round(seconds),
      dynamicCover: `${cover}&animated=1`,
      playAddr: links.of(reel, "video"),
      downloadAddr: links.of(reel, "download"),
      bitrateInfo: [
        of("h264", 830_528, "video"),
        of("bytevc1", 410_112, "pictures"),
        of("bytevc2", 205_056, "unplayable"),
      ],
    },
  };
}

const challengeCookie = "_wafchallengeid";
const prefix = "standin";
const number = "4711";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A task that browsers solve before they get the page: finding the number that gives a hash. */
export function challengePage(): string {
  const hash = createHash("sha256").update(prefix).update(number).digest("base64");
  const task = base64(JSON.stringify({ v: { a: base64(prefix), b: 10_000, c: hash }, s: base64("standin") }));
  return page(
    `<p>Please wait...</p><p id="cs" class="${escapeHtml(task)}"></p><p id="wci" class="${challengeCookie}"></p>` +
      '<p id="rci" class="waforiginalreid"></p><p id="rs" class="c3RhbmRpbg"></p>',
  );
}

/** True if a cookie contains the number. */
export function hasSolved(cookieOf: (name: string) => string | undefined): boolean {
  try {
    const solved: unknown = JSON.parse(Buffer.from(cookieOf(challengeCookie) ?? "", "base64").toString("utf8"));
    return (solved as { d?: unknown }).d === base64(number);
  } catch {
    return false;
  }
}

/** Sent to programs that don't look like a browser. */
export const waitPage = (): string => page("<p>Please wait...</p>");

const page = (body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>TikTok - Make Your Day</title></head><body>${body}</body></html>`;
