import { keysPerAccount } from "@reelscript/contract";
import type { Allowances, Clock, Keys } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { allowanceOf, type QuotaScope } from "../../rules/allowance.ts";
import { describeKey } from "../../describe/describe-key.ts";

interface ListKeysNeeds {
  readonly keys: Keys;
  readonly allowances: Allowances;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
}

export const listKeys =
  ({ keys, allowances, clock, quotaScope }: ListKeysNeeds): Handler<"listKeys"> =>
  async ({ caller: { account } }) => {
    const now = clock.now();
    const live = (await keys.list(account.id)).filter(({ revokedAt }) => revokedAt === null);
    const described = await Promise.all(
      live.map(async (key) => {
        const { subject, period, limit, resetsAt } = allowanceOf(account, key.slot, quotaScope, now);
        const { used } = await allowances.read(subject, period);
        return { ...describeKey(key), transcriptions: { used, limit, resetsAt: resetsAt?.toISOString() ?? null } };
      }),
    );
    return { keys: described, limit: keysPerAccount, quotaScope };
  };
