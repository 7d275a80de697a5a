import { RateLimited } from "../rules/refusals.ts";
import type { RateLimitSettings } from "./admission.ts";
import type { RateLimits, Clock } from "../ports.ts";

const tokenShape = /^[0-9A-Za-z]{43}$/;

/**
 * Counts an opening of a shared page against the network that it comes from. False for a text that can't be a token, which
 * costs no lookup. Throws `RateLimited`.
 */
export type CountOpening = (token: string, network: string) => Promise<boolean>;

interface OpeningNeeds {
  readonly rateLimits: RateLimits;
  readonly limits: RateLimitSettings;
  readonly clock: Clock;
}

export const createCountOpening =
  ({ rateLimits, limits, clock }: OpeningNeeds, calls: string): CountOpening =>
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
