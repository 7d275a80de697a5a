import type { LinkGrammar } from "@reelscript/contract/values";
import type { Clock, ReelAddress } from "../../ports.ts";
import type { PageQuestion } from "../guarded-fetch/guarded-fetch.ts";
import type { PlatformMedia } from "./platform-media.ts";
import type { SourceFailureKind } from "./source-failure.ts";

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
  readonly ytDlp: YtDlpManners;
}

/** Of reels where a platform has longer videos, too. */
export const longestReelSeconds = 180;

/** How yt-dlp is asked for the reels of a platform, and what it means. */
export interface YtDlpManners {
  /** The sound that is fetched: what the video itself says, in its first language. */
  readonly format: string;
  /** The fields that have the handle and the name of the author. */
  readonly handle: "channel" | "uploader" | "uploader_id";
  readonly displayName: "channel" | "uploader";
  /** What its complaints mean: the first that fits, the plainest words first. */
  readonly meanings: readonly (readonly [RegExp, SourceFailureKind])[];
  /** Whether the platform has videos that are too long for a reel, and live ones. */
  readonly hasLongVideos?: boolean;
  /** Whether it can't do without a JavaScript runtime. */
  readonly runsJavaScript?: boolean;
}

/** Of a platform whose pages only yt-dlp reads. */
export const throughYtDlpAlone = {
  mayBePrivate: false,
  createWays: () => [],
  isPrivateForm: () => false,
  endOf: () => undefined,
  asksToWait: () => false,
  routeOf: () => undefined,
  strikeOut: (text) => text,
} satisfies Partial<Platform>;

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

/** What was asked and what came back. */
export interface Sighting {
  readonly path: string;
  readonly status: number;
  /** As it came, with whatever it says about us; `Platform.strikeOut` makes it fit to be kept. */
  readonly text: string;
}

interface Sought {
  readonly text: string;
  /** Those that the platform sets. */
  readonly cookies: ReadonlyMap<string, string>;
}

/** What is asked about one reel, as a visitor without an account. */
export interface PlatformSession {
  readonly origin: string;
  /** Names the way out to the internet: what the platform gave to one address is not shown to it from another. */
  readonly exit: string;
  readonly signal: AbortSignal;
  /** Every answer so far. */
  readonly seen: readonly Sighting[];
  /** A good answer. Throws `SourceFailure`, or the reason of the signal. */
  ask(path: string, question?: Omit<PageQuestion, "follow" | "onSign">): Promise<Sought>;
}

/** A way to learn about a reel. */
export interface Way {
  readonly name: string;
  /** That a reel is gone counts once both kinds say so. */
  readonly kind: "query" | "page";
  /** Throws `SourceFailure`, or the reason of the session's signal. */
  readonly ask: (reel: ReelAddress, session: PlatformSession) => Promise<PlatformMedia>;
}
