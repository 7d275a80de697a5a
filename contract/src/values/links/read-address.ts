import { instagramLinks } from "./instagram-links.ts";
import { trimAddress } from "./addresses.ts";
import { addressesIn } from "./addresses-in.ts";
import type { LinkGrammar, LinkUrl, PlatformName, ReelLink } from "./link-grammar.ts";
import { grammarAt, isBelowPlatform } from "./link-grammars.ts";

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

/** Signs that no address of a reel has, and those with which a sentence ends. */
const aroundAddress = /[\s<>()[\]{}"'“”‘’«»‹›`*|]|[.,;:!?…]$/u;
/** Longer texts aren't looked through for an address. */
const longestText = 20_000;
const encodedScheme = /^https?%(?:25){0,3}3a/i;
/** How many times an address may be percent-encoded. */
const mostEncodings = 4;

/** The only address in a text, or the only one of a platform; `undefined` if there are none or several. */
function addressIn(text: string): string | undefined {
  if (text.length > longestText || !aroundAddress.test(text)) return undefined;
  const addresses = [...new Set(addressesIn(text))];
  if (addresses.length === 1) return addresses[0];
  const ofPlatforms = addresses.filter((address) => {
    const host = hostOf.exec(address)?.[1];
    return host !== undefined && grammarAt(host.toLowerCase()) !== undefined;
  });
  return ofPlatforms.length === 1 ? ofPlatforms[0] : undefined;
}

const hostOf = /^(?:https?:\/\/)?([^/?#:]+)/i;

function decodedAddress(text: string): string {
  let decoded = text;
  try {
    for (let time = 0; time < mostEncodings && encodedScheme.test(decoded); time += 1)
      decoded = decodeURIComponent(decoded);
  } catch {
    return text;
  }
  return decoded;
}

/**
 * The address as a browser would open it: with a scheme, decoded, and without a text, brackets or characters that copying put
 * around it. Other text stays unchanged.
 */
export function wholeAddress(text: string): string {
  const unwrapped = addressIn(text) ?? text;
  const trimmed = decodedAddress(trimAddress(unwrapped).replaceAll("&amp;", "&"));
  if (trimmed.startsWith("//")) return `https:${trimmed}`;
  return hostFirst.test(trimmed) ? `https://${trimmed}` : trimmed;
}

/**
 * The only parser of links, for every door: whatever form the address of a reel has, the grammar of its platform reads it.
 * Login pages and redirects have the address in their query; it is read there, without a request. `undefined` for anything
 * except http(s) addresses, and for more than 2,048 characters.
 */
export const readAddress = (text: string): ReadAddress | undefined => readWrapped(text, mostWrappings);

function readWrapped(text: string, wrappings: number): ReadAddress | undefined {
  const url = parse(text);
  if (url === undefined) return undefined;
  const grammar = grammarAt(url.hostname);
  const link = readLink(url, grammar);
  if (wrappings > 0 && !(grammar && namesReel(link)))
    for (const value of [...innerTexts(url), ...url.searchParams.values()]) {
      // A login page names a page of its own platform by its path alone.
      const isPath = grammar !== undefined && /^\/(?!\/)/.test(value);
      const inner = readWrapped(isPath ? grammar.origin + value : value, wrappings - 1);
      if (inner?.grammar && namesReel(inner.link)) return inner;
    }
  return { url, grammar, link };
}

/** Texts of an address that may be another one: all of its query, and what follows the scheme in its path, as in archives. */
function innerTexts(url: Address): string[] {
  const slash = url.pathname.search(/\/https?(?::|%3a)/i);
  const inPath = slash === -1 ? undefined : url.pathname.slice(slash + 1);
  const query = url.search.slice(1);
  return [...(inPath === undefined ? [] : [inPath + url.search]), ...(/^https?(?::|%)/i.test(query) ? [query] : [])];
}

function parse(text: string): Address | undefined {
  if (text.length > longestAddress) return undefined;
  const whole = wholeAddress(text);
  if (!/^https?:/i.test(whole)) return undefined;
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
  const site = platform ?? url.host;
  const bare = `${url.origin}${url.pathname}`;
  if (link.kind === "share") return { key: `${site} share ${link.id}`, url: bare, platform };
  // The reel may be named in the query, and a path may end with fields that belong in a query.
  const isWhole =
    grammar === undefined || (!url.pathname.includes("&") && grammar.read(withoutQuery(url)).kind === "reel");
  return {
    key: `${site} ${link.code}`,
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
  const reel = reelNamedBy(text);
  if (reel !== undefined) return reel;
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
