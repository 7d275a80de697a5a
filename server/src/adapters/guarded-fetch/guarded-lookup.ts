import { type LookupAddress, NOTFOUND } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { FetchFailure } from "./fetch-failure.ts";
import { isPublicAddress } from "./public-address.ts";

/** Looks a host name up: all its addresses. */
export type ResolveHost = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

/**
 * The name lookup of a connection: the connection goes to the very addresses that were checked. A name with any address
 * that is not public is refused whole, with the cause that a missing name has: no stranger may find out which names are ours.
 */
export function guardedLookup(resolve: ResolveHost): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined) {
        callback(error ?? new FetchFailure("unreachable", `${host} has no address`), []);
        return;
      }
      const hidden = addresses.find(({ address }) => !isPublicAddress(address));
      if (hidden !== undefined) {
        const missing = Object.assign(new Error(`${host} has no public address`), { code: NOTFOUND });
        callback(new FetchFailure("refused", `${host} is at ${hidden.address}, which is not public`, missing), []);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const literalOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

/** Whether the host of a URL is an IP address, which URLs have in one spelling only. */
export const isLiteral = (hostname: string): boolean => isIP(literalOf(hostname)) !== 0;

/** Connections to an IP address make no lookup, so the host of a URL is checked on its own. */
export const isHiddenLiteral = (hostname: string): boolean =>
  isLiteral(hostname) && !isPublicAddress(literalOf(hostname));
