import { trafficSources } from "@reelscript/contract/values";
import { headerOf, type BioRequest } from "./judge-bio-request.ts";

/** A mobile edition isn't another site. */
const edition = /^(?:www|m|mobile)\.(?=[^.]+\.)/;
const country = /\.(?:com?\.)?[a-z]{2}$/;

const entries = (name: "packages" | "utm" | "hosts"): ReadonlyMap<string, string> =>
  new Map(trafficSources.flatMap((source) => source[name].map((one) => [one, source.site] as const)));
const hosts = new Map([...trafficSources.map(({ site }) => [site, site] as const), ...entries("hosts")]);
const packages = entries("packages");
const utmNames = entries("utm");

/** The platform that a host or a package belongs to; any other host is its own site, in all of its editions. */
export function siteBehind(name: string): string {
  const knownSite = hosts.get(name) ?? packages.get(name) ?? parentOf(name);
  if (knownSite !== undefined) return knownSite;
  const site = name.replace(edition, "");
  return hosts.get(site) ?? hosts.get(site.replace(country, ".*")) ?? site;
}

function parentOf(host: string): string | undefined {
  for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
    const site = hosts.get(host.slice(dot));
    if (site !== undefined) return site;
  }
  return undefined;
}

/**
 * The visitor's source, by the first that applies: the tag that the owner wrote into the page's address, the site that linked
 * to the page, the app whose browser it is, the mark that a platform appended to the address. Null without any. `from` is the
 * page's report on its own request, because a page's picture is requested by the page itself.
 */
export function sourceOf(request: BioRequest): string | null {
  const { headers, host, from } = request;
  const referrer = urlOf(headerOf(headers, "referer"));
  const page = referrer?.host === host ? referrer.searchParams : undefined;
  const linking = from === undefined ? referrer : urlOf(from);
  const linked = linking === undefined || linking.host === host ? null : siteOf(linking);
  return (page && toldSource(page)) ?? linked ?? appOf(headers) ?? (page ? markOf(page) : null);
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

function siteOf({ protocol, hostname }: URL): string | null {
  // Apps on Android name themselves in a scheme of its own.
  if (!["http:", "https:", "android-app:"].includes(protocol)) return null;
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return host === "" || host.length > 253 ? null : siteBehind(host);
}

/** Anybody can invent it, so it must be as short and plain as the name of a site. */
function toldSource(query: URLSearchParams): string | null {
  const utmSource = (query.get("utm_source") ?? "").trim().toLowerCase();
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,59}$/u.test(utmSource)) return null;
  return utmNames.get(utmSource) ?? siteBehind(utmSource);
}

function appOf(headers: BioRequest["headers"]): string | null {
  const userAgent = headerOf(headers, "user-agent");
  return trafficSources.find(({ agents }) => agents.some((agent) => agent.test(userAgent)))?.site ?? null;
}

const markOf = (query: URLSearchParams): string | null =>
  trafficSources.find(({ marks }) => marks.some((mark) => query.has(mark)))?.site ?? null;
