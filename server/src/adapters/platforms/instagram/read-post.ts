import {
  type InstagramPost,
  member,
  momentOfInstagramId,
  positiveIn,
  readInstagramItem,
  readInstagramNode,
} from "@reelscript/contract/values";
import type { ReelAddress } from "../../../ports.ts";
import { type PlatformMedia, reelDetails } from "../platform.ts";
import { EmptyShell, SourceFailure } from "../source-failure.ts";

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
  // Audio without video comes first.
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

/** Sound in a codec that every decoder supports, which excludes xHE-AAC (`mp4a.40.42`). */
const commonAudio = /\bcodecs="(mp4a\.40\.(?:2|5|29)|opus)"/;

/**
 * Address of the smallest audio track of an MPEG-DASH manifest of whole files (one `BaseURL` per track, no segments), or
 * `undefined`.
 */
export function dashAudioUrl(manifest: string): string | undefined {
  const tracks = manifest
    .split("<Representation")
    .slice(1)
    .flatMap((track) => {
      const [attributes = "", ...content] = (track.split("</Representation>", 1)[0] ?? "").split(">");
      const url = /<BaseURL[^<>]*>([^<]+)<\/BaseURL>/.exec(content.join(">"))?.[1]?.trim();
      if (url === undefined || !commonAudio.test(attributes)) return [];
      return [{ url: unescapeXml(url), bandwidth: Number(/\bbandwidth="(\d+)"/.exec(attributes)?.[1] ?? Infinity) }];
    });
  const [smallest] = tracks.toSorted((one, other) => one.bandwidth - other.bandwidth);
  return smallest !== undefined && URL.canParse(smallest.url) ? smallest.url : undefined;
}

/** Seconds that an MPEG-DASH manifest states, or `undefined`. */
function dashSeconds(manifest: string): number | undefined {
  const stated = /\bmediaPresentationDuration="PT(?:(\d{1,3})H)?(?:(\d{1,3})M)?(?:([\d.]{1,12})S)?"/.exec(manifest);
  if (stated === null) return undefined;
  const [hours, minutes, seconds] = stated.slice(1).map((part) => Number(part ?? 0));
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0) || undefined;
}

function unescapeXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** The post inside an embed page: a JSON text inside the JSON of a script. Throws `SourceFailure` `changed`. */
export function embeddedPost(html: string): unknown {
  const literal = /"contextJSON":\s*("(?:[^"\\]|\\.)*")/.exec(html)?.[1];
  if (literal === undefined)
    throw html.includes("EmbedIsBroken")
      ? new SourceFailure("changed", "the embed page carries no post")
      : new EmptyShell("changed", "the embed page is an empty shell");
  const context = parseJson(String(parseJson(literal)));
  const data = member(context, "gql_data") ?? member(context, "context");
  const post = member(data, "shortcode_media") ?? member(data, "xdt_shortcode_media") ?? member(data, "media");
  if (post == null) throw new SourceFailure("changed", "the embed page carries no post");
  return post;
}

/** Every post that a page includes as the response of a query for its own script. */
export function prefetchedPosts(html: string): unknown[] {
  return scripts(html).flatMap(({ attributes, content }) =>
    attributes.includes("data-sjs") && content.includes("xig_polaris_media")
      ? valuesNamed(jsonIn(content), "xig_polaris_media", 40)
      : [],
  );
}

/** Undefined if it can't be parsed: another block may be complete. */
function jsonIn(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** True when a response asks visitors to sign in or to wait. */
export const asksToWait = (text: string): boolean => /"require_login":\s*true|please wait a few minutes/i.test(text);

/** Reads from a ruling why visitors can't see a post; `undefined` when it gives no reason. */
export function gateIn(ruling: unknown): "ageGated" | "regionGated" | undefined {
  const notice = ["title", "description"]
    .map((name) => member(ruling, name))
    .filter((text) => typeof text === "string")
    .join("\n");
  if (/\b(?:region|country|location)\b/i.test(notice)) return "regionGated";
  return /restricted|\bage\b|\b\d\d years old\b/i.test(notice) ? "ageGated" : undefined;
}

/** The name that a page gives to its own route. */
export function routeOf(html: string): string | undefined {
  return /"canonicalRouteName":"([\w.]{1,200})"/.exec(html)?.[1];
}

/** Throws `SourceFailure` `changed`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^for\s*\(;;\);/, ""));
  } catch (error) {
    throw new SourceFailure("changed", "JSON was due", error);
  }
}

/** Uses splitting: a pattern could take forever on a hostile page. */
function scripts(html: string): { readonly attributes: string; readonly content: string }[] {
  return html
    .split("<script")
    .slice(1)
    .map((part) => {
      const start = part.indexOf(">") + 1;
      const end = part.indexOf("</script>", start);
      return { attributes: part.slice(0, start), content: end < 0 ? "" : part.slice(start, end) };
    });
}

function valuesNamed(value: unknown, name: string, depth: number): unknown[] {
  if (typeof value !== "object" || value === null || depth === 0) return [];
  if (Object.hasOwn(value, name)) return [member(value, name)];
  return Object.values(value).flatMap((child) => valuesNamed(child, name, depth - 1));
}

/** The token that a page gives to the queries that follow it. */
export function queryToken(html: string): string | undefined {
  const defined = /\["LSD",\[\],\{"token":"([\w-]{1,200})"/.exec(html)?.[1];
  if (defined !== undefined) return defined;
  const content = scripts(html).find(({ attributes }) => attributes.includes('id="__eqmc"'))?.content;
  const token = /"l":"([^"]*)"/.exec(content ?? "")?.[1];
  return token !== undefined && /^[\w-]{1,200}$/.test(token) ? token : undefined;
}
