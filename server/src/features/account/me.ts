import type { Allowance, Allowances, ApiKey, Clock, RateLimits } from "../../ports.ts";
import type { AccountCaller } from "../../caller.ts";
import type { Handler, SessionRateLimits } from "../../run.ts";
import { transcriptionUsage } from "./usage.ts";

interface Needs {
  readonly allowances: Allowances;
  readonly allowanceOf: (caller: AccountCaller) => Allowance;
  readonly rateLimits: RateLimits;
  readonly rateSubjectOf: (caller: AccountCaller) => string;
  readonly limitsOf: (caller: AccountCaller) => SessionRateLimits;
  readonly clock: Clock;
}

const counted = ["default", "transcribe", "bioWrite"] as const;

export const me =
  (needs: Needs): Handler<"getMe"> =>
  async ({ caller }) => {
    const { account } = caller;
    const limits = needs.limitsOf(caller);
    const buckets = counted.map((name) => ({ name, limit: limits[name] }));
    const states = await needs.rateLimits.peek(needs.rateSubjectOf(caller), buckets, needs.clock.now());
    const remaining = (name: (typeof counted)[number]) => ({
      limit: limits[name],
      remaining: states.find(({ bucket }) => bucket.name === name)?.remaining ?? limits[name],
    });
    return {
      account: { id: account.id, email: account.email, plan: account.plan, createdAt: account.createdAt.toISOString() },
      key: caller.kind === "key" ? describeKey(caller.key) : null,
      transcriptions: await transcriptionUsage(needs, caller),
      rateLimits: {
        default: remaining("default"),
        transcribe: remaining("transcribe"),
        bioWrite: remaining("bioWrite"),
      },
    };
  };

const describeKey = ({ id, name, lastFour, createdAt }: ApiKey) => ({
  id,
  name,
  lastFour,
  createdAt: createdAt.toISOString(),
});
