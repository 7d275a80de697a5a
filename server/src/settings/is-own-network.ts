import * as z from "zod";

const Network = z.union([z.cidrv4(), z.cidrv6()]);

/** Private networks. Link-local ones are left out: clouds hand out credentials there. */
const ownNetworks: readonly (readonly [beginning: RegExp, prefix: number])[] = [
  [/^10\./, 8],
  [/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./, 10],
  [/^127\./, 8],
  [/^172\.(?:1[6-9]|2\d|3[01])\./, 12],
  [/^192\.168\./, 16],
  [/^::1\//, 128],
  [/^f[cd][\da-f]{2}:/i, 7],
];

/** True if the whole network is private, such as `10.0.0.0/8`. */
export function isOwnNetwork(text: string): boolean {
  const length = Number(text.split("/")[1]);
  return (
    Network.safeParse(text).success &&
    ownNetworks.some(([beginning, prefix]) => beginning.test(text) && length >= prefix)
  );
}
