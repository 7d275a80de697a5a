import type { Allowance, Allowances, ApiKey, Clock, RateLimits } from "../../ports.ts";
import type { AccountCaller, Handler, RateLimitSettings } from "../../run.ts";
import { transcriptionUsage } from "./usage.ts";

interface Needs {
  readonly allowances: Allowances;
  readonly allowanceOf: (caller: AccountCaller) => Allowance;
  readonly rateLimits: RateLimits;
  readonly rateSubjectOf: (key: ApiKey) => string;
  readonly limits: RateLimitSettings;
  readonly clock: Clock;
}

const counted = ["default", "transcribe", "bioWrite"] as const;

export const me =
  (needs: Needs): Handler<"getMe"> =>
  async ({ caller }) => {
    const { account, key } = caller;
    const buckets = counted.map((name) => ({ name, limit: needs.limits[name] }));
    const states = await needs.rateLimits.peek(needs.rateSubjectOf(key), buckets, needs.clock.now());
    const remaining = (name: (typeof counted)[number]) => ({
      limit: needs.limits[name],
      remaining: states.find(({ bucket }) => bucket.name === name)?.remaining ?? needs.limits[name],
    });
    return {
      account: { id: account.id, email: account.email, plan: account.plan, createdAt: account.createdAt.toISOString() },
      key: { id: key.id, name: key.name, lastFour: key.lastFour, createdAt: key.createdAt.toISOString() },
      transcriptions: await transcriptionUsage(needs, caller),
      rateLimits: {
        default: remaining("default"),
        transcribe: remaining("transcribe"),
        bioWrite: remaining("bioWrite"),
      },
    };
  };
