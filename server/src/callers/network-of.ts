import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/** What is told apart of an address: all of IPv4, and the /64 of IPv6, which one household has. One network has one spelling. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  return plain.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
