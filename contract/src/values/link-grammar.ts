/** What of a `URL` a grammar reads. */
export interface LinkUrl {
  readonly hostname: string;
  readonly pathname: string;
  readonly searchParams: { get(name: string): string | null };
}

/** What a link to a platform leads to, as far as it says so itself. */
export type ReelLink =
  | { readonly kind: "reel"; readonly code: string }
  /** Only the platform knows which reel it means. */
  | { readonly kind: "share"; readonly id: string; readonly path: string }
  | { readonly kind: "profile"; readonly handle: string }
  | { readonly kind: "sound" | "story" | "other" };

/** How the links of a platform are written. Pure: nothing is asked of anybody. */
export interface LinkGrammar {
  /** Scheme and host of its pages. */
  readonly origin: string;
  /** Host names at which links of reels are understood, whatever their port. */
  readonly hosts: readonly string[];
  /** Hosts that wrap a URL into their query, by the name of the parameter. */
  readonly wrappers: Readonly<Record<string, string>>;
  /** What stands after the host, whichever host it is. */
  readonly read: (url: LinkUrl) => ReelLink;
  /** The path of the one address that a reel has. */
  readonly pathOf: (code: string) => string;
}
