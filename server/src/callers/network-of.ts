import ipaddr from "ipaddr.js";

/** The network of an address: the whole IPv4 address, or the /64 of IPv6, which one household has. Each network has one spelling. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  return plain.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
