import type { LinkGrammar } from "@reelscript/contract/values";
import type { Clock, ReelAddress } from "../../ports.ts";
import type { SourceFailureKind } from "./source-failure.ts";
import type { Way } from "./ways.ts";

/** What a platform is: all that is known of it alone. */
export interface Platform {
  /** The name in a reel's address. */
  readonly name: string;
  /** Pages and JSON are asked from here: scheme, host, port, without a slash at the end. */
  readonly origin: string;
  /** How its links are written. Without `hosts` they are understood at `origin` only. */
  readonly links: LinkGrammar;
  /** Origins of media, pictures and redirects beside `origin`; `https://*.host` means every host below. */
  readonly otherOrigins: readonly string[];
  /** Whether these origins may be at private addresses (loopback and the like). */
  readonly mayBePrivate: boolean;
  /** The reel that a code in a link names, in one spelling, or `undefined` when the code stands for none. */
  readonly identify: (code: string) => { readonly mediaId: string; readonly code: string } | undefined;
  /** The ways to ask about a reel, in order. What they share lives as long as they do. */
  readonly createWays: (clock: Clock) => readonly Way[];
  /** Whether only posts that are hidden from the public have a code of this form. */
  readonly isPrivateForm: (code: string) => boolean;
  /** When an address of media runs out, in milliseconds since 1970, or `undefined` where it doesn't say. */
  readonly endOf: (mediaUrl: string) => number | undefined;
  /** Whether a redirect there means that visitors are to sign in or to wait. */
  readonly isWall: (target: URL) => boolean;
  /** Whether an answer other than 200 asks visitors to sign in or to wait. */
  readonly asksToWait: (text: string) => boolean;
  /** The name that a page gives to its own route. */
  readonly routeOf: (text: string) => string | undefined;
  /** An answer without cookies, tokens and signatures. */
  readonly strikeOut: (text: string) => string;
  /** What the complaints of yt-dlp about this platform mean: the first that fits, the plainest words first. */
  readonly ytDlpMeanings: readonly (readonly [RegExp, SourceFailureKind])[];
}

/** The one address of a reel on a platform, or `undefined` when the code stands for none. */
export function reelAddress(platform: Platform, text: string): ReelAddress | undefined {
  const reel = platform.identify(text);
  return (
    reel && {
      platform: platform.name,
      mediaId: reel.mediaId,
      shortcode: reel.code,
      url: `${platform.origin}${platform.links.pathOf(reel.code)}`,
    }
  );
}
