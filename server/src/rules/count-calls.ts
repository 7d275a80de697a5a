import type { Clock, RateLimits, RateState } from "../ports.ts";
import { RateLimited } from "./refusals.ts";

/** Counts a call of `subject`; throws `RateLimited` if there were too many in the last hour. */
export type CountCalls = (subject: string) => Promise<void>;

/** Calls refused for lack of a valid key, by network. */
export type CountRefused = CountCalls;

interface CounterNeeds {
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
}

const rememberedSubjects = 10_000;

/**
 * Limits a kind of call to so many in any hour, counted separately from everything else. A subject above the limit costs the
 * database nothing until its wait is over.
 */
export function createCountCalls({
  rateLimits,
  clock,
  kind,
  calls,
  limit,
}: CounterNeeds & {
  /** Separates the counters: each kind has its own. */
  readonly kind: string;
  /** Names the counted calls in a refusal. */
  readonly calls: string;
  readonly limit: number;
}): CountCalls {
  const full = new Map<string, { readonly state: RateState; readonly until: number }>();

  return async (subject) => {
    const now = clock.now();
    const refusedBefore = full.get(subject);
    if (refusedBefore !== undefined) {
      const left = (refusedBefore.until - now.getTime()) / 1_000;
      if (left > 0) throw new RateLimited({ ...refusedBefore.state, resetSeconds: left }, calls);
      full.delete(subject);
    }
    const { taken, states } = await rateLimits.take(`${kind}:${subject}`, [{ name: "address", limit }], now);
    const [state] = states;
    if (taken || state === undefined) return;
    const [oldest] = full.keys();
    if (full.size >= rememberedSubjects && oldest !== undefined) full.delete(oldest);
    full.set(subject, { state, until: now.getTime() + state.resetSeconds * 1_000 });
    throw new RateLimited(state, calls);
  };
}

/**
 * Runs only after a key was found to be wrong, so that nobody can lock out people who share an address and have a key or a
 * session, or make public requests.
 */
export const createCountRefused = (needs: CounterNeeds & { readonly limit: number }): CountRefused =>
  createCountCalls({ ...needs, kind: "refused", calls: "requests without a valid key from your network" });
