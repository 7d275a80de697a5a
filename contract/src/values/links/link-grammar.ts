import { trimAddress } from "./addresses.ts";

/** Platforms whose reels we transcribe. */
export const platformNames = ["instagram", "tiktok", "youtube"] as const;
export type PlatformName = (typeof platformNames)[number];

/** The platform of scripts whose media are a file of the account's own. */
export const filePlatform = "file" as const;

/** The part of a `URL` that a grammar reads. */
export interface LinkUrl {
  readonly hostname: string;
  readonly pathname: string;
  readonly searchParams: { get(name: string): string | null };
}

/** The target of a link to a platform, as far as the link itself reveals it. */
export type ReelLink =
  | { readonly kind: "reel"; readonly code: string }
  /**
   * Only the platform knows which reel it is. It is requested at `origin`, or by default at the origin of the platform's pages.
   */
  | { readonly kind: "share"; readonly id: string; readonly path: string; readonly origin?: string }
  | { readonly kind: "profile"; readonly handle: string }
  | { readonly kind: "sound" | "story" | "other" };

/** The forms of a platform's links. Pure: it makes no requests. */
export interface LinkGrammar {
  /** In addresses of reels, settings and filters. */
  readonly platform: PlatformName;
  /** For people. */
  readonly label: string;
  /** Scheme and host of its pages. */
  readonly origin: string;
  /** Hosts of links to reels, whatever their port. */
  readonly hosts: readonly string[];
  /**
   * Parses the part after the host. Hosts with different paths are distinguished by name; all others are read like the pages.
   */
  readonly read: (url: LinkUrl) => ReelLink;
  /** The path of the one address that a reel has. */
  readonly pathOf: (code: string) => string;
  /** The platform's embed for other sites, which starts at the whole second if it can. */
  readonly playerOf: (code: string, second: number) => string;
}

/** A part of an address without fields that a program appended with a sign that doesn't begin a query there. */
export const withoutFields = (part: string): string => part.replace(/[?&].*$/s, "");

/** Nonempty parts of a path between its slashes. */
export const partsOf = ({ pathname }: LinkUrl): string[] =>
  pathname
    .split("/")
    .map((part) => trimAddress(withoutFields(part)))
    .filter((part) => part !== "");
