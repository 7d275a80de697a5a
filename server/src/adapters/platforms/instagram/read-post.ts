import {
  type InstagramPost,
  member,
  momentOfInstagramId,
  positiveIn,
  readInstagramItem,
  readInstagramNode,
} from "@reelscript/contract/values";
import type { ReelAddress } from "../../../ports.ts";
import { dashAudioUrl, dashSeconds, type PlatformMedia, reelDetails } from "../platform-media.ts";
import { SourceFailure } from "../source-failure.ts";
import { gateIn } from "./front-page.ts";

/** Reads a post as today's query, page cache and mobile answers carry it. Throws `SourceFailure`. */
export function readMediaItem(raw: unknown, reel: ReelAddress): PlatformMedia {
  // A number has lost digits of an id, so it can't identify a post.
  if (typeof member(raw, "pk") === "number") throw new SourceFailure("changed", "the id of the post is no text");
  return mediaOf(readInstagramItem(raw), reel, undefined);
}

/** Reads a post as the embed page carries it. Throws `SourceFailure`. */
export const readGraphNode = (raw: unknown, reel: ReelAddress): PlatformMedia =>
  mediaOf(readInstagramNode(raw), reel, member(raw, "gating_info"));

/** Accepts only the reel's own post, from a public account and with a video. */
function mediaOf(post: InstagramPost, reel: ReelAddress, gate: unknown): PlatformMedia {
  if (post.id !== null && post.id !== reel.mediaId)
    throw new SourceFailure("changed", "the answer is about another post");
  if (post.isPrivate === true) throw new SourceFailure("private", "the account is private");
  if (gate != null) throw new SourceFailure(gateIn(gate) ?? "ageGated", "the post is gated");
  const media = post.media.length > 0 ? post.media : [post];
  const video = media.find(({ videos, manifest }) => videos.length > 0 || manifest !== null);
  if (video === undefined)
    throw media.every(({ isPhoto }) => isPhoto)
      ? new SourceFailure("notVideo", "the post has photos only")
      : new SourceFailure("changed", "the post carries no video where it should");
  // Half a manifest is useless.
  const manifest = video.manifest !== null && video.manifest.length <= mostManifest ? video.manifest : "";
  // The sound alone comes first.
  const sound = dashAudioUrl(manifest);
  const [first, ...rest] = new Set(sound === undefined ? video.videos : [sound, ...video.videos]);
  if (first === undefined) throw new SourceFailure("changed", "the video has no address");
  return {
    mediaUrls: [first, ...rest],
    details: reelDetails(reel, {
      ...post,
      verified: post.isVerified,
      pictures: video.pictures.length > 0 ? video.pictures : post.pictures,
      width: video.width,
      height: video.height,
      durationSeconds: video.seconds ?? dashSeconds(manifest) ?? secondsIn([first, ...rest]),
      hasAudio: video.hasAudio,
      views: video.views ?? post.views,
      takenAt: post.takenAt ?? momentOfInstagramId(reel.mediaId).getTime() / 1_000,
    }),
  };
}

const mostManifest = 500_000;

/** When a media address expires, in milliseconds since 1970. */
export function endOf(url: string): number | undefined {
  const end = parameter(url, "oe");
  return end !== undefined && /^[\da-f]{1,9}$/i.test(end) ? Number.parseInt(end, 16) * 1_000 : undefined;
}

const secondsIn = (urls: readonly string[]): number | null =>
  urls.map(secondsOf).find((seconds) => seconds !== null) ?? null;

function secondsOf(url: string): number | null {
  try {
    return positiveIn(JSON.parse(Buffer.from(parameter(url, "efg") ?? "", "base64").toString("utf8")), "duration_s");
  } catch {
    return null;
  }
}

function parameter(url: string, name: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? undefined) : undefined;
}
