import { instagramLinks } from "./instagram-links.ts";
import { readAddress } from "./read-address.ts";

export type ReelPlayer =
  /** The platform's own player, which doesn't report its position. */
  | { readonly kind: "embed"; readonly platform: string; readonly addressAt: (second: number) => string }
  | { readonly kind: "video"; readonly address: string };

/** The player of a reel: the platform's embed, or the video itself at a stand-in; `undefined` if nothing can play it. */
export function reelPlayerOf(reelUrl: string): ReelPlayer | undefined {
  const read = readAddress(reelUrl);
  if (read?.link.kind !== "reel") return undefined;
  const { url, grammar } = read;
  const { code } = read.link;
  return grammar === undefined
    ? { kind: "video", address: `${url.origin}${instagramLinks.pathOf(code)}video.mp4` }
    : { kind: "embed", platform: grammar.label, addressAt: (second) => grammar.playerOf(code, second) };
}
