import { RateLimited } from "../rules/refusals.ts";
import type { Needs } from "./needs.ts";

const tokenShape = /^[0-9A-Za-z]{43}$/;

/**
 * Counts a look at what somebody shares by a link, whatever it is, by the network from which it is opened. False for a text
 * that can't be a token, which costs no look-up. Throws `RateLimited`.
 */
export type CountOpening = (token: string, network: string) => Promise<boolean>;

export const createCountOpening =
  ({ rateLimits, limits, clock }: Needs<"rateLimits" | "limits" | "clock">, calls: string): CountOpening =>
  async (token, network) => {
    if (!tokenShape.test(token)) return false;
    const { taken, states } = await rateLimits.take(
      `shared:${network}`,
      [{ name: "address", limit: limits.address }],
      clock.now(),
    );
    const [state] = states;
    if (!taken && state !== undefined) throw new RateLimited(state, calls);
    return true;
  };
