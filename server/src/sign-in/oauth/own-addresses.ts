import { domainToUnicode } from "node:url";
import { namesService, outlineOf } from "@reelscript/contract";

/** What belongs to this service, so that no program can pass for it or be answered by it. */
export interface OwnAddresses {
  /** Whether an address leads here, however it is written, or reads as if it did. */
  include(address: string): boolean;
  /** Whether a text reads as if it named this service or its host. */
  areNamedIn(text: string): boolean;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
/** As the URL standard writes them: every other form of an address is brought to one of these. */
const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
/** A shorter host reads the same as many a word. */
const leastOutline = 6;

/**
 * `baseUrl` is where users find the service, `hosts` are further names or addresses of it. Where it is on loopback, programs
 * of the same machine differ from it by their port only; anywhere else every port of its hosts is its own.
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
    // What follows our name in a longer one is easily overlooked.
    return publicHosts.some((one) => host === one || `.${host}`.includes(`.${one}.`));
  };
  return {
    include(address) {
      const url = URL.parse(address);
      if (url === null) return false;
      if (/^https?:$/.test(url.protocol)) return areWeb(url);
      // Some schemes open an address of the web in a certain browser, whatever is around it.
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

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

/** As a browser reads it: without escapes, signs that nobody sees, and letters of other widths. */
function plain(text: string): string {
  const unescaped = text.replace(/(?:%[\da-f]{2})+/gi, (escaped) =>
    Buffer.from(escaped.replaceAll("%", ""), "hex").toString("utf8"),
  );
  return unescaped
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .toLowerCase();
}

/** Whether a host stands in a text, and not only the beginning or the end of a longer name. */
function holds(text: string, host: string): boolean {
  for (let at = text.indexOf(host); at >= 0; at = text.indexOf(host, at + 1)) {
    const isBegun = /[\p{L}\p{N}-]$/u.test(text.slice(0, at));
    const goesOn = /^(?:\.?[\p{L}\p{N}]|-)/u.test(text.slice(at + host.length));
    if (!isBegun && !goesOn) return true;
  }
  return false;
}
