import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IPv4 that the registry of special-purpose addresses keeps from the public internet, multicast and reserved included. */
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
 * Inside 2000::/3, what leads elsewhere (Teredo and 6to4 carry an IPv4 address) or nowhere. Everything outside 2000::/3 is
 * no public unicast: unspecified, loopback, IPv4-mapped, NAT64, unique local, link-local, multicast.
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

/** Whether an IP address in text form is public unicast. Anything that is not plainly so is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIpv4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return globalIpv6.check(address, "ipv6") && !refusedIpv6.check(address, "ipv6");
}
