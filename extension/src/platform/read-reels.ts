import { momentOfInstagramId } from "@reelscript/contract/values";

interface Seen {
  readonly reels: readonly SeenReel[];
  /** Handles of accounts that are private. */
  readonly privateHandles: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Larger answers are not of a profile. */
const mostNodes = 200_000;
/** Shorter texts under the same name are codes of something else. */
const codePattern = /^[\w-]{5,64}$/;

/**
 * Every reel in an answer of the platform, wherever in it and in either of its shapes: `shortcode` with edges, or `code`
 * with plain counts, which lists for visitors leave out, like author and date. What is neither is passed over.
 */
export function readReels(answer: unknown): Seen {
  const reels: SeenReel[] = [];
  const privateHandles: string[] = [];
  const waiting: unknown[] = [answer];
  // One by one: a call takes only so many arguments, and a page may send more.
  const wait = (values: readonly unknown[]): void => {
    for (let index = Math.min(values.length, mostNodes) - 1; index >= 0; index -= 1) waiting.push(values[index]);
  };
  for (let nodes = 0; waiting.length > 0 && nodes < mostNodes; nodes += 1) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      wait(value);
      continue;
    }
    const json = value as Json;
    if (json["is_private"] === true && typeof json["username"] === "string")
      privateHandles.push(json["username"].toLowerCase());
    const reel = readNewShape(json) ?? readOldShape(json);
    if (reel) reels.push(reel);
    else wait(Object.values(json));
  }
  return { reels, privateHandles };
}

function readNewShape(item: Json): SeenReel | undefined {
  const code = codeOf(item["code"]);
  if (code === undefined || (item["pk"] === undefined && item["id"] === undefined)) return undefined;
  const isReel = item["product_type"] === "clips" || item["media_type"] === 2 || Array.isArray(item["video_versions"]);
  if (!isReel || item["media_type"] === 8) return undefined;
  const isShown = item["like_and_view_counts_disabled"] !== true;
  return {
    code,
    handle: handleOf(item["user"]) ?? handleOf(item["owner"]),
    caption: text(field(item["caption"], "text")),
    views: isShown ? (count(item["play_count"]) ?? count(item["ig_play_count"]) ?? count(item["view_count"])) : null,
    likes: isShown ? count(item["like_count"]) : null,
    comments: count(item["comment_count"]),
    takenAt: count(item["taken_at"]),
    mintedAt: mintedAt(item["pk"]),
    seconds: positive(item["video_duration"]),
    videoUrl: smallestOf(item["video_versions"]),
  };
}

function readOldShape(node: Json): SeenReel | undefined {
  const code = codeOf(node["shortcode"]);
  if (code === undefined || node["is_video"] !== true) return undefined;
  const captions = field(node["edge_media_to_caption"], "edges");
  return {
    code,
    handle: handleOf(node["owner"]),
    caption: text(field(field(first(captions), "node"), "text")),
    views: count(node["video_play_count"]) ?? count(node["video_view_count"]),
    likes: count(field(node["edge_media_preview_like"], "count")) ?? count(field(node["edge_liked_by"], "count")),
    comments:
      count(field(node["edge_media_to_parent_comment"], "count")) ??
      count(field(node["edge_media_to_comment"], "count")) ??
      count(field(node["edge_media_preview_comment"], "count")),
    takenAt: count(node["taken_at_timestamp"]),
    mintedAt: mintedAt(node["id"]),
    seconds: positive(node["video_duration"]),
    videoUrl: mediaAddress(node["video_url"]),
  };
}

/** Every version has the same sound. */
function smallestOf(versions: unknown): string | null {
  if (!Array.isArray(versions)) return null;
  const width = (version: unknown): number => positive(field(version, "width")) ?? Number.MAX_SAFE_INTEGER;
  const sorted = versions.slice(0, 20).toSorted((one, other) => width(one) - width(other));
  return sorted.map((version) => mediaAddress(field(version, "url"))).find((url) => url !== null) ?? null;
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Json)[name] : undefined;
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
const codeOf = (value: unknown): string | undefined =>
  typeof value === "string" && codePattern.test(value) ? value : undefined;
const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, 5_000).replace(/\p{Surrogate}/gu, "") : null;
/** Hidden counts are missing, null or -1. */
const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
const positive = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : null;

const mintedAt = (id: unknown): number | null =>
  typeof id === "string" && /^\d{1,19}$/.test(id) ? Math.floor(momentOfInstagramId(id).getTime() / 1_000) : null;

function handleOf(value: unknown): string | null {
  const name = field(value, "username");
  return typeof name === "string" && /^[A-Za-z0-9._]{1,64}$/.test(name) ? name.toLowerCase() : null;
}

/** Where the platform keeps its videos. A page could name any other address, and have it loaded and sent on. */
function mediaAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 4_096 || !URL.canParse(value)) return null;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" && /\.(?:cdninstagram\.com|fbcdn\.net)$/.test(hostname) ? value : null;
}

/** A reel as the platform's own page loaded it. `null` is what the page did not show. */
export interface SeenReel {
  readonly code: string;
  /** Of the account that posted it, in lower case. */
  readonly handle: string | null;
  readonly caption: string | null;
  readonly views: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
  /** Seconds since 1970. */
  readonly takenAt: number | null;
  /** As `takenAt`, read off the id: up to some hours before it. */
  readonly mintedAt: number | null;
  readonly seconds: number | null;
  /** Where the video is, for as long as the platform's link holds. */
  readonly videoUrl: string | null;
}

/** What both know: pages load a reel in several pieces, and the newer count is the truer one. */
export function mergeReels(older: SeenReel | undefined, newer: SeenReel): SeenReel {
  const known = Object.entries(newer).filter(([, value]) => value !== null);
  return { ...newer, ...older, ...Object.fromEntries(known) };
}
