import {
  cutText,
  type InstagramPost,
  momentOfInstagramId,
  readInstagramItem,
  readInstagramNode,
  textIn,
} from "@reelscript/contract/values";

interface Seen {
  readonly reels: readonly SeenReel[];
  /** Handles of accounts that are private. */
  readonly privateHandles: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Larger responses don't belong to a profile. */
const mostNodes = 200_000;
/** Shorter texts under the same name are other kinds of codes. */
const codePattern = /^[\w-]{5,64}$/;
const handlePattern = /^[A-Za-z0-9._]{1,64}$/;

/**
 * Finds every reel in a response of the platform, at any depth and in either of its shapes: `shortcode` with edges, or `code`
 * with plain counts, which lists for visitors omit, like author and date. Skips anything else.
 */
export function readReels(answer: unknown): Seen {
  const reels: SeenReel[] = [];
  const privateHandles: string[] = [];
  const waiting: unknown[] = [answer];
  // Adds them one by one, because a call takes only so many arguments, and a page may send more.
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
    const reel = readItem(json) ?? readNode(json);
    if (reel) reels.push(reel);
    else wait(Object.values(json));
  }
  return { reels, privateHandles };
}

function readItem(item: Json): SeenReel | undefined {
  const code = codeIn(item, "code");
  if (code === undefined || (item["pk"] === undefined && item["id"] === undefined)) return undefined;
  const isReel = item["product_type"] === "clips" || item["media_type"] === 2 || Array.isArray(item["video_versions"]);
  return isReel && item["media_type"] !== 8 ? seenReel(code, readInstagramItem(item)) : undefined;
}

function readNode(node: Json): SeenReel | undefined {
  const code = codeIn(node, "shortcode");
  return code !== undefined && node["is_video"] === true ? seenReel(code, readInstagramNode(node)) : undefined;
}

const codeIn = (value: Json, name: string): string | undefined => codePattern.exec(textIn(value, name) ?? "")?.[0];

const seenReel = (code: string, post: InstagramPost): SeenReel => ({
  code,
  handle: post.handle !== null && handlePattern.test(post.handle) ? post.handle.toLowerCase() : null,
  caption: post.caption && cutText(post.caption, 5_000).replace(/\p{Surrogate}/gu, ""),
  views: post.views,
  likes: post.likes,
  comments: post.comments,
  takenAt: post.takenAt,
  mintedAt: mintedAt(post.id),
  seconds: post.seconds,
  videoUrl: post.videos.find(isOfPlatform) ?? null,
});

const mintedAt = (id: string | null): number | null =>
  id !== null && /^\d{1,19}$/.test(id) ? Math.floor(momentOfInstagramId(id).getTime() / 1_000) : null;

/** The platform serves its videos from these hosts. A page could name any other address, and have it loaded and sent. */
function isOfPlatform(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" && /\.(?:cdninstagram\.com|fbcdn\.net)$/.test(hostname);
}

/** A reel as the platform's own page loaded it. `null` is a value that the page did not show. */
export interface SeenReel {
  readonly code: string;
  /** The account that posted the reel, in lower case. */
  readonly handle: string | null;
  readonly caption: string | null;
  readonly views: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
  /** Seconds since 1970. */
  readonly takenAt: number | null;
  /** Like `takenAt`, but derived from the id and up to some hours earlier. */
  readonly mintedAt: number | null;
  readonly seconds: number | null;
  /** The platform's link to the video, which expires. */
  readonly videoUrl: string | null;
}

/** Combines both: pages load a reel in several pieces, and the newer count is more accurate. */
export function mergeReels(older: SeenReel | undefined, newer: SeenReel): SeenReel {
  const knownFields = Object.entries(newer).filter(([, value]) => value !== null);
  return { ...newer, ...older, ...Object.fromEntries(knownFields) };
}
