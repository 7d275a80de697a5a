import ipaddr from "ipaddr.js";

/** What is told apart of an address: all of IPv4, and the /64 of IPv6, which one household has. One network has one spelling. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  return plain.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
