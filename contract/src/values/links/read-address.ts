import { instagramLinks } from "./instagram-links.ts";
import { trimAddress } from "./addresses.ts";
import type { LinkGrammar, LinkUrl, PlatformName, ReelLink } from "./link-grammar.ts";
import { grammarAt, isBelowPlatform, linkGrammars } from "./link-grammars.ts";

interface Address extends LinkUrl {
  hostname: string;
  readonly protocol: string;
  readonly origin: string;
  readonly host: string;
  readonly search: string;
  readonly searchParams: LinkUrl["searchParams"] & { values(): Iterable<string> };
}

/** Declared here because browsers and Node both have it, but the language's types don't. */
declare const URL: new (text: string) => Address;

/** An address for a reel, as somebody gave it, and its target. */
export interface ReadAddress {
  /** The innermost address, if one wraps another. */
  readonly url: Address;
  /** Absent for hosts of no platform. A stand-in may be there, whose links have the form of the first platform's. */
  readonly grammar: LinkGrammar | undefined;
  readonly link: ReelLink;
}

export const longestAddress = 2_048;

/** How many levels of addresses in queries are examined. */
const mostWrappings = 3;

/** A host with a dot, before everything that may follow one: no user name, no other scheme. */
const hostFirst = /^(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]*(?::\d{1,5})?(?:[/?#]|$)/u;

const hostsOfReels = linkGrammars
  .flatMap(({ hosts }) => hosts)
  .map((host) => host.replaceAll(".", "\\."))
  .join("|");
const afterHost = '[^\\s\\p{Cf}<>"“”«»\\\\^`{|}]+';
const addressInText = new RegExp(
  `https?://${afterHost}|(?<![\\p{L}\\p{N}@/._-])(?:${hostsOfReels})\\.?/${afterHost}`,
  "giu",
);
/** Signs after an address that belong to the sentence or the markup around it. */
const clinging = /[.,;:!?)\]*~'’‘„…]+$/u;
/** Markdown puts an address between brackets, and may show it before. */
const betweenBrackets = "](";

/** The http(s) addresses in a text, in order, without the signs around them; those of platforms also without a scheme. */
export const addressesIn = (text: string): readonly string[] =>
  [...text.replaceAll(betweenBrackets, " ").matchAll(addressInText)].map(([address]) => address.replace(clinging, ""));

/**
 * The address as a browser would open it: with a scheme, and without what copying added. Of a sentence, Markdown or another text
 * around the address of one reel, only that address. Other text stays unchanged.
 */
export function wholeAddress(text: string): string {
  const address = openableAddress(text);
  if (text.length > longestAddress || isReel(address)) return address;
  const reels = new Map<string, string>();
  for (const inside of addressesIn(text).map(openableAddress)) {
    const read = readWrapped(inside, mostWrappings);
    if (read && namesReel(read.link)) reels.set(keyOf(read, read.link), inside);
  }
  // A text with several reels names none of them.
  const [only, ...others] = reels.values();
  return only !== undefined && others.length === 0 ? only : address;
}

const encodedScheme = /^https?%3A/i;

function openableAddress(text: string): string {
  const trimmed = trimAddress(text).replaceAll("&amp;", "&");
  if (trimmed.startsWith("//")) return `https:${trimmed}`;
  if (encodedScheme.test(trimmed)) return decoded(trimmed);
  return hostFirst.test(trimmed) ? `https://${trimmed}` : trimmed;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The only parser of links, for every door: whatever form the address of a reel has, the grammar of its platform reads it.
 * Login pages and redirects have the address in their query; it is read there, without a request. `undefined` for anything
 * except http(s) addresses, and for more than 2,048 characters.
 */
export const readAddress = (text: string): ReadAddress | undefined => readWrapped(wholeAddress(text), mostWrappings);

const isReel = (address: string): boolean => {
  const read = readWrapped(address, mostWrappings);
  return read !== undefined && namesReel(read.link);
};

/** The same for every address of a reel. */
function keyOf({ url, grammar }: ReadAddress, link: LinkToReel): string {
  const host = grammar?.platform ?? url.host;
  return link.kind === "share" ? `${host} share ${link.id}` : `${host} ${link.code}`;
}

function readWrapped(text: string, wrappings: number): ReadAddress | undefined {
  const url = parse(text);
  if (url === undefined) return undefined;
  const grammar = grammarAt(url.hostname);
  const link = readLink(url, grammar);
  if (wrappings > 0 && !(grammar && namesReel(link)))
    for (const value of innerAddresses(url)) {
      // A login page names a page of its own platform by its path alone.
      const isPath = grammar !== undefined && /^\/(?!\/)/.test(value);
      const inner = readWrapped(isPath ? grammar.origin + value : value, wrappings - 1);
      if (inner?.grammar && namesReel(inner.link)) return inner;
    }
  return { url, grammar, link };
}

/** Archives have an address in their path, some pages that hide the referrer have it as their whole query. */
const addressInPath = /https?:\/+[^/].*$/is;

function innerAddresses({ pathname, search, searchParams }: Address): string[] {
  const inPath = addressInPath.exec(decoded(pathname))?.[0].replace(/^(https?):\/+/i, "$1://");
  return [...searchParams.values(), search.slice(1), ...(inPath === undefined ? [] : [inPath + search])];
}

function parse(text: string): Address | undefined {
  if (text.length > longestAddress) return undefined;
  const whole = openableAddress(text);
  // A browser takes spaces, but text with spaces is a sentence.
  if (!/^https?:\S+$/i.test(whole)) return undefined;
  // `URL.canParse` of Node 20 refuses hosts with letters such as ü after some thousand calls.
  try {
    const url = new URL(whole);
    // A host name may end with the dot of the root.
    if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
    return url;
  } catch {
    return undefined;
  }
}

function readLink(url: Address, grammar: LinkGrammar | undefined): ReelLink {
  if (grammar !== undefined) return grammar.read(url);
  return isBelowPlatform(url.hostname) ? { kind: "other" } : instagramLinks.read(url);
}

type LinkToReel = Extract<ReelLink, { readonly kind: "reel" | "share" }>;

const namesReel = (link: ReelLink): link is LinkToReel => link.kind === "reel" || link.kind === "share";

/** An address of a reel without tracking parameters. */
export interface NamedReel {
  /** The same for every address of the reel except share links. */
  readonly key: string;
  readonly url: string;
  /** The platform that the address's host belongs to. */
  readonly platform: PlatformName | undefined;
}

/** The reel, or the share link, at an address; also for hosts of no platform, where a stand-in may be. */
export function reelNamedBy(text: string): NamedReel | undefined {
  const read = readAddress(text);
  if (read === undefined || !namesReel(read.link)) return undefined;
  const { url, grammar, link } = read;
  const platform = grammar?.platform;
  const key = keyOf(read, link);
  const bare = `${url.origin}${url.pathname}`;
  if (link.kind === "share") return { key, url: bare, platform };
  // The reel may be named in the query, and a path may end with fields that belong in a query.
  const isWhole =
    grammar === undefined || (!url.pathname.includes("&") && grammar.read(withoutQuery(url)).kind === "reel");
  return {
    key,
    url: isWhole ? bare : `${grammar.origin}${grammar.pathOf(link.code)}`,
    platform,
  };
}

/** Names of query fields that identify the visitor's origin and not the page. */
const tracking = /^(?:utm_\w+|igsh|igshid|fbclid|gclid|mc_cid|mc_eid|si|feature|share_\w+|_[tr]|is_from_webapp)$/i;

/**
 * The canonical form of a reel's address. Any other address is compared without scheme, `www.`, fragment, trailing slash, query
 * order and tracking. Throws if it isn't an http(s) address.
 */
export function nameOfAddress(text: string): NamedReel {
  const named = reelNamedBy(text);
  if (named !== undefined) return named;
  const read = readAddress(text);
  if (read === undefined) throw new TypeError(`no http(s) address: ${text}`);
  const { url, grammar } = read;
  const query = queryFields(url.search)
    .filter((field) => !tracking.test(field.split("=", 1)[0]!))
    .toSorted()
    .join("&");
  const host = url.host.replace(/^www\./, "");
  return {
    key: `${host}${url.pathname.replace(/(?<!\/)\/+$/, "")}${query && `?${query}`}`,
    url: `${url.origin}${url.pathname}${query && `?${query}`}`,
    platform: grammar?.platform,
  };
}

const queryFields = (search: string): string[] => search.slice(1).split("&").filter(Boolean);

const withoutQuery = ({ hostname, pathname }: LinkUrl): LinkUrl => ({
  hostname,
  pathname,
  searchParams: { get: () => null },
});
