import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { callbackify } from "node:util";
import type { ResolveHost } from "./guarded-lookup.ts";

/** By the rules of names, whatever a name server says. */
const isLoopback = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host);

const patience = { timeout: 1_500, tries: 2 };

/**
 * Asks the name servers of the machine, or the given ones, itself. The usual lookup can't be broken off, and waits on one of
 * the few threads that all others of the process need, so strangers with a name server that never answers could stop them.
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
    // An answer about IPv6 is worth more here: a name may have those addresses alone.
    for (const answer of [six, four]) if (answer.status === "rejected") throw answer.reason;
    return addresses;
  });

const addressesIn = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
