import type { Clock, RateLimits, ScriptRow, ShareLinks } from "../../ports.ts";
import { RateLimited } from "../../rules/rate-limited.ts";

interface Needs {
  readonly shareLinks: ShareLinks;
  readonly rateLimits: RateLimits;
  /** Openings an hour from one network. */
  readonly limit: number;
  readonly clock: Clock;
}

/** What a link leads to. Throws `RateLimited`. */
export type OpenShareLink = (token: string, network: string) => Promise<ScriptRow | undefined>;

const shape = /^[0-9A-Za-z]{43}$/;

export const openShareLink =
  ({ shareLinks, rateLimits, limit, clock }: Needs): OpenShareLink =>
  async (token, network) => {
    // What was never a link costs no look-up.
    if (!shape.test(token)) return undefined;
    const { taken, states } = await rateLimits.take(`shared:${network}`, [{ name: "address", limit }], clock.now());
    const [state] = states;
    if (!taken && state !== undefined) throw new RateLimited(state, "shared scripts");
    return shareLinks.open(token);
  };
