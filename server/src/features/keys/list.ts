import { keysPerAccount } from "@reelscript/contract";
import type { Account, Allowance, Allowances, Keys } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { describeKey } from "./describe-key.ts";

interface Needs {
  readonly keys: Keys;
  readonly allowances: Allowances;
  /** What a key in this slot of the account may use now. */
  readonly allowanceOf: (account: Account, slot: number) => Allowance;
  readonly quotaScope: "key" | "account";
}

export const list =
  ({ keys, allowances, allowanceOf, quotaScope }: Needs): Handler<"listKeys"> =>
  async ({ caller: { account } }) => {
    const live = (await keys.list(account.id)).filter(({ revokedAt }) => revokedAt === null);
    const described = await Promise.all(
      live.map(async (key) => {
        const { subject, period, limit, resetsAt } = allowanceOf(account, key.slot);
        const { used } = await allowances.read(subject, period);
        return { ...describeKey(key), transcriptions: { used, limit, resetsAt: resetsAt?.toISOString() ?? null } };
      }),
    );
    return { keys: described, limit: keysPerAccount, quotaScope };
  };
