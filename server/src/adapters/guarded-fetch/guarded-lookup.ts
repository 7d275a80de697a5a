import { type LookupAddress, NOTFOUND } from "node:dns";
import { isIP, type LookupFunction, BlockList, isIPv4, isIPv6 } from "node:net";
import { Resolver } from "node:dns/promises";
import { callbackify } from "node:util";
import { FetchFailure } from "./fetch-failure.ts";

/** Resolves a host name to all its addresses. */
export type ResolveHost = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

/** Says whether connections may go to an IP address in text form. */
export type MayReach = (address: string) => boolean;

/**
 * The name lookup of a connection, which then uses exactly the checked addresses. If any address of a name is forbidden, the
 * whole name is refused, with the same cause as a missing name: no stranger may find out which names are ours.
 */
export function guardedLookup(resolve: ResolveHost, mayReach: MayReach): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined) {
        callback(error ?? new FetchFailure("unreachable", `${host} has no address`), []);
        return;
      }
      const hidden = addresses.find(({ address }) => !mayReach(address));
      if (hidden !== undefined) {
        const missing = Object.assign(new Error(`${host} has no public address`), { code: NOTFOUND });
        callback(new FetchFailure("refused", `${host} is at ${hidden.address}, which is not public`, missing), []);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const literalOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

/** True when the host of a URL is an IP address, which URLs spell in only one way. */
export const isLiteral = (hostname: string): boolean => isIP(literalOf(hostname)) !== 0;

/** A connection to an IP address makes no lookup, so the host of a URL is checked separately. */
export const isHiddenLiteral = (hostname: string, mayReach: MayReach = isPublicAddress): boolean =>
  isLiteral(hostname) && !mayReach(literalOf(hostname));

/** Decided by the rules of names, whatever a name server answers. */
const isLoopback = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host);

const patience = { timeout: 1_500, tries: 2 };

/**
 * Queries the machine's name servers, or the given ones, directly. The usual lookup can't be canceled, and occupies one of a
 * few threads that everything else in the process needs, so strangers with a silent name server could block them.
 */
export const askNameServers = (signal: AbortSignal, servers?: readonly string[]): ResolveHost =>
  callbackify(async (host: string): Promise<LookupAddress[]> => {
    if (isLoopback(host)) return [{ address: "127.0.0.1", family: 4 }];
    const resolver = new Resolver(patience);
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.removeEventListener("abort", cancel);
    const addresses = [...addressesIn(four, 4), ...addressesIn(six, 6)];
    if (addresses.length > 0) return addresses;
    // Here the answer about IPv6 counts: a name may have only IPv6 addresses.
    for (const answer of [six, four]) if (answer.status === "rejected") throw answer.reason;
    return addresses;
  });

const addressesIn = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];

/**
 * IPv4 ranges that the registry of special-purpose addresses excludes from the public internet, including multicast and
 * reserved ones.
 */
const specialIpv4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/**
 * Ranges inside 2000::/3 that lead elsewhere (Teredo and 6to4 carry an IPv4 address) or nowhere. Nothing outside 2000::/3 is
 * public unicast: unspecified, loopback, IPv4-mapped, NAT64, unique local, link-local, multicast.
 */
const specialIpv6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const refusedIpv4 = subnets(specialIpv4, "ipv4");
const refusedIpv6 = subnets(specialIpv6, "ipv6");
const globalIpv6 = subnets([["2000::", 3]], "ipv6");

function subnets(ranges: readonly (readonly [string, number])[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

/** True when an IP address in text form is clearly public unicast; false when in doubt. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIpv4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return globalIpv6.check(address, "ipv6") && !refusedIpv6.check(address, "ipv6");
}
