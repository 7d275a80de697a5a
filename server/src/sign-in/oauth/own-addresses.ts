import { domainToUnicode } from "node:url";
import { namesService, outlineOf } from "@reelscript/contract";

/** This service's names and addresses, which no program may claim or use as a redirect address. */
export interface OwnAddresses {
  /** True if an address leads here, however it is written, or looks as if it did. */
  include(address: string): boolean;
  /** True if a text seems to name this service or its host. */
  areNamedIn(text: string): boolean;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
/** Loopback hosts as the URL standard writes them; parsing normalizes every other spelling. */
const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
/** A shorter host looks like many ordinary words. */
const leastOutline = 6;

/**
 * `baseUrl` is where users find the service; `hosts` are its other names or addresses. On loopback, programs of the same
 * machine differ from the service only by their port; elsewhere every port of its hosts belongs to it.
 */
export function createOwnAddresses(baseUrl: string, hosts: readonly string[]): OwnAddresses {
  const base = new URL(baseUrl);
  const isLocal = loopback.test(withoutDots(base.hostname));
  const publicHosts = [base.hostname, ...hosts.map((host) => URL.parse(`http://${host}`)?.hostname ?? "")]
    .map(withoutDots)
    .filter((host) => host !== "" && !loopback.test(host));
  const localPort = portOf(base);
  const publicNames = publicHosts.flatMap((host) => [host, domainToUnicode(host)]);
  const written = isLocal ? loopbackNames.map((name) => `${name}:${localPort}`) : publicNames;

  const areWeb = (url: URL): boolean => {
    const host = withoutDots(url.hostname);
    if (isLocal && loopback.test(host)) return portOf(url) === localPort;
    // People overlook a suffix after our name, so longer hosts count too, and most sites are also at `www.`.
    return publicHosts.some((one) => withoutWww(host) === withoutWww(one) || `.${host}`.includes(`.${one}.`));
  };
  return {
    include(address) {
      const url = URL.parse(address);
      if (url === null) return false;
      if (/^https?:$/.test(url.protocol)) return areWeb(url);
      // Some schemes contain an address of the web that a certain browser opens, whatever is around it.
      return namesService(url.protocol) || written.some((host) => holds(plain(address), host));
    },
    areNamedIn(text) {
      if (namesService(text)) return true;
      const outline = outlineOf(text);
      return publicNames.some(
        (host) =>
          holds(plain(text), host) || (outlineOf(host).length >= leastOutline && outline.includes(outlineOf(host))),
      );
    },
  };
}

function withoutDots(host: string): string {
  let end = host.length;
  while (host.endsWith(".", end)) end -= 1;
  return host.slice(0, end);
}

const withoutWww = (host: string): string => host.replace(/^www\./, "");

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

/**
 * Normalizes a text to the form that a browser uses: without escapes and invisible characters, with letters of normal width.
 */
function plain(text: string): string {
  const unescaped = text.replace(/(?:%[\da-f]{2})+/gi, (escaped) =>
    Buffer.from(escaped.replaceAll("%", ""), "hex").toString("utf8"),
  );
  return unescaped
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .toLowerCase();
}

/** True if a text contains the host as a whole, not as part of a longer name. */
function holds(text: string, host: string): boolean {
  for (let at = text.indexOf(host); at >= 0; at = text.indexOf(host, at + 1)) {
    const isBegun = /[\p{L}\p{N}-]$/u.test(text.slice(0, at));
    const goesOn = /^(?:\.?[\p{L}\p{N}]|-)/u.test(text.slice(at + host.length));
    if (!isBegun && !goesOn) return true;
  }
  return false;
}
