/** What is told apart of an address: all of IPv4, and the /64 of IPv6, which one household has. One network has one spelling. */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined || !plain.includes(":")) return mapped ?? plain;
  const [head = "", tail] = plain.split("::", 2);
  const groups = groupsOf(head);
  const rest = groupsOf(tail ?? "");
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => "0");
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(":");
}

const groupsOf = (text: string): string[] =>
  text === "" ? [] : text.split(":").map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
