import type { Key } from "@reelscript/contract";
import type { Allowances, Clock, RateLimits } from "../../ports.ts";
import type { AccountCaller } from "../../caller.ts";
import { describeKey } from "../../describe/describe-key.ts";
import { rateSubjectOf, type QuotaScope } from "../../rules/allowance.ts";
import type { Handler, SessionRateLimits } from "../../run/run.ts";
import { transcriptionUsage } from "./get-usage.ts";

interface GetMeNeeds {
  readonly allowances: Allowances;
  readonly quotaScope: QuotaScope;
  readonly rateLimits: RateLimits;
  readonly limitsOf: (caller: AccountCaller) => SessionRateLimits;
  readonly clock: Clock;
}

const counted = ["default", "transcribe", "bioWrite"] as const;

export const getMe =
  (needs: GetMeNeeds): Handler<"getMe"> =>
  async ({ caller }) => {
    const { account } = caller;
    const limits = needs.limitsOf(caller);
    const buckets = counted.map((name) => ({ name, limit: limits[name] }));
    const states = await needs.rateLimits.peek(rateSubjectOf(caller), buckets, needs.clock.now());
    const remaining = (name: (typeof counted)[number]) => ({
      limit: limits[name],
      remaining: states.find(({ bucket }) => bucket.name === name)?.remaining ?? limits[name],
    });
    return {
      account: { id: account.id, email: account.email, plan: account.plan, createdAt: account.createdAt.toISOString() },
      key: caller.kind === "key" ? withoutLastUse(describeKey(caller.key)) : null,
      transcriptions: await transcriptionUsage(needs, caller),
      rateLimits: {
        default: remaining("default"),
        transcribe: remaining("transcribe"),
        bioWrite: remaining("bioWrite"),
      },
    };
  };

const withoutLastUse = ({ id, name, lastFour, createdAt, expiresAt, readOnly }: Key) => ({
  id,
  name,
  lastFour,
  createdAt,
  expiresAt,
  readOnly,
});
