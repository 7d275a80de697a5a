import { ServiceError } from "@reelscript/contract";
import type { ReelAddress } from "../../ports.ts";
import { type Platform, reelAddress } from "./platform.ts";

/** What a URL says: a reel, or a share link that only the platform can translate. */
export type ReelUrl =
  | { readonly kind: "reel"; readonly address: ReelAddress }
  | { readonly kind: "share"; readonly platform: Platform; readonly url: string };

const longestUrl = 2_048;
const kinds: ReadonlySet<string> = new Set(["reel", "reels", "p", "tv"]);
/** First segments that are never the handle of an account. */
const notHandles: ReadonlySet<string> = new Set(["accounts", "api", "direct", "explore", "share", "stories", ...kinds]);
const handle = /^[\w.]{1,30}$/;
const shareId = /^[\w-]{1,64}$/;

/**
 * Reads the URL of a reel in any of the shapes that the platforms use. Pure. Throws `ServiceError` `invalidRequest` when it
 * names no reel of one of `platforms`; the message says what is accepted.
 */
export function readReelUrl(text: string, platforms: readonly Platform[]): ReelUrl {
  return read(text, platforms, true);
}

function read(text: string, platforms: readonly Platform[], mayUnwrap: boolean): ReelUrl {
  const url = parse(text, platforms);
  if (mayUnwrap) {
    const wrapped = unwrap(url, platforms);
    if (wrapped !== undefined) return read(wrapped, platforms, false);
  }
  const platform = platforms.find((candidate) => isAt(url, candidate));
  if (platform === undefined) throw refusal("is not on a platform that reels are taken from", platforms);
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  return readPath(segments, platform) ?? refuse(segments, platforms);
}

function parse(text: string, platforms: readonly Platform[]): URL {
  if (text.length > longestUrl) throw refusal(`is longer than ${longestUrl} characters`, platforms);
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) throw refusal("is not a URL", platforms);
  const url = new URL(trimmed);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refusal("must begin with https:// or http://", platforms);
  return url;
}

function unwrap(url: URL, platforms: readonly Platform[]): string | undefined {
  const wrapper = platforms.find((platform) => Object.hasOwn(platform.wrappers, url.hostname));
  const parameter = wrapper?.wrappers[url.hostname];
  return parameter === undefined ? undefined : (url.searchParams.get(parameter) ?? undefined);
}

function isAt(url: URL, platform: Platform): boolean {
  return url.origin === platform.origin || platform.urlHosts.includes(url.hostname);
}

function readPath(segments: readonly string[], platform: Platform): ReelUrl | undefined {
  const [first = "", second = "", third = ""] = segments;
  if (first === "share") {
    const id = kinds.has(second) ? third : second;
    if (segments.length !== (kinds.has(second) ? 3 : 2)) return undefined;
    if (!shareId.test(id)) return undefined;
    return { kind: "share", platform, url: `${platform.origin}/${segments.join("/")}/` };
  }
  if (kinds.has(first)) return readCode(second, platform);
  if (kinds.has(second) && handle.test(first) && !notHandles.has(first)) return readCode(third, platform);
  return undefined;
}

function readCode(code: string, platform: Platform): ReelUrl | undefined {
  if (code === "audio") return undefined;
  const address = reelAddress(platform, code);
  return address && { kind: "reel", address };
}

function refuse(segments: readonly string[], platforms: readonly Platform[]): never {
  if (segments.includes("audio")) throw refusal("names a sound, not a reel", platforms);
  if (segments[0] === "stories") throw refusal("names a story; only reels are taken", platforms);
  throw refusal("does not name a reel", platforms);
}

function refusal(reason: string, platforms: readonly Platform[]): ServiceError {
  const examples = platforms.map((platform) => `${platform.origin}/reel/{code}/`).join(" or ");
  return new ServiceError(
    "invalidRequest",
    `url ${reason}. Accepted: ${examples}, the same with /reels/, /p/ or /tv/, and share links.`,
    { reason: "notAReel" },
  );
}
