import type { RateState } from "../ports.ts";
import type { Needs } from "../run/needs.ts";
import { RateLimited } from "../rules/refusals.ts";

/** Counts a call that was refused for want of a valid key; throws `RateLimited` when there were too many from its network. */
export type CountRefused = (network: string) => Promise<void>;

const rememberedNetworks = 10_000;

/**
 * At most so many refused calls in any hour from one network. Counted apart from everything else and asked for only after a key
 * was found wrong, so that nobody can lock out those who share an address and have a key, a session or a public question.
 * A network that is over the limit costs the database nothing until its wait is over.
 */
export function createCountRefused({
  rateLimits,
  limit,
  clock,
  kind = "refused",
  what = "requests without a valid key from your network",
}: Needs<"rateLimits" | "clock"> & {
  readonly limit: number;
  /** What is counted apart has a kind of its own, and says in its refusal what it counts. */
  readonly kind?: string;
  readonly what?: string;
}): CountRefused {
  const full = new Map<string, { readonly state: RateState; readonly until: number }>();

  function refuse(state: RateState): never {
    throw new RateLimited(state, what);
  }

  return async (network) => {
    const now = clock.now();
    const known = full.get(network);
    if (known !== undefined) {
      const left = (known.until - now.getTime()) / 1_000;
      if (left > 0) refuse({ ...known.state, resetSeconds: left });
      full.delete(network);
    }
    const { taken, states } = await rateLimits.take(`${kind}:${network}`, [{ name: "address", limit }], now);
    const [state] = states;
    if (taken || state === undefined) return;
    const [oldest] = full.keys();
    if (full.size >= rememberedNetworks && oldest !== undefined) full.delete(oldest);
    full.set(network, { state, until: now.getTime() + state.resetSeconds * 1_000 });
    refuse(state);
  };
}
