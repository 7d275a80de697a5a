import { ServiceError } from "@reelscript/contract";
import { grammarAt } from "@reelscript/contract/values";
import type { ReelAddress } from "../../ports.ts";
import { type Platform, reelAddress } from "./platform.ts";

/** What a URL says: a reel, or a share link that only the platform can translate. */
export type ReelUrl =
  | { readonly kind: "reel"; readonly address: ReelAddress }
  | { readonly kind: "share"; readonly platform: Platform; readonly url: string };

const longestUrl = 2_048;

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
  if (platform === undefined) {
    const off = grammarAt(url.hostname)?.label;
    if (off !== undefined)
      throw new ServiceError("invalidRequest", `This server takes no reels of ${off}.`, { reason: "platformOff" });
    throw refusal("is not on a platform that reels are taken from", platforms);
  }
  const link = platform.links.read(url);
  if (link.kind === "share") return { kind: "share", platform, url: `${link.origin ?? platform.origin}${link.path}` };
  const address = link.kind === "reel" ? reelAddress(platform, link.code) : undefined;
  if (address !== undefined) return { kind: "reel", address };
  if (link.kind === "sound") throw refusal("names a sound, not a reel", platforms);
  if (link.kind === "story") throw refusal("names a story; only reels are taken", platforms);
  throw refusal("does not name a reel", platforms);
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
  const wrapper = platforms.find(({ links }) => Object.hasOwn(links.wrappers, url.hostname));
  const parameter = wrapper?.links.wrappers[url.hostname];
  return parameter === undefined ? undefined : (url.searchParams.get(parameter) ?? undefined);
}

function isAt(url: URL, { origin, links }: Platform): boolean {
  return url.origin === origin || links.hosts.includes(url.hostname);
}

function refusal(reason: string, platforms: readonly Platform[]): ServiceError {
  const examples = platforms.map((platform) => `${platform.origin}${platform.links.pathOf("{code}")}`).join(" or ");
  return new ServiceError(
    "invalidRequest",
    `url ${reason}. Accepted: ${examples}, other links of the same reel, and share links.`,
    { reason: "notAReel" },
  );
}
