import { keysPerAccount } from "@reelscript/contract";
import type { Account, Allowances } from "../../ports.ts";
import { allowanceOf } from "../../rules/allowance.ts";

interface SlotUse {
  readonly slot: number;
  readonly used: number;
  readonly held: number;
}

export interface AccountUse {
  /** The limit of each slot, or of the account. */
  readonly limit: number;
  readonly resetsAt: Date | null;
  /** Slot 0, which the dashboard uses, and those with any use. */
  readonly slots: readonly SlotUse[];
}

/** Reads the units that accounts have used of their plans, by the slots of their keys. */
export async function accountUses(
  allowances: Allowances,
  accounts: readonly Account[],
  now: Date,
): Promise<ReadonlyMap<string, AccountUse>> {
  const current = accounts.map((account) => ({ account, allowance: allowanceOf(account, 0, "key", now) }));
  const rows = await allowances.ofAccounts(
    current.map(({ account, allowance }) => ({ accountId: account.id, period: allowance.period })),
    keysPerAccount,
  );
  return new Map(
    current.map(({ account: { id }, allowance: { limit, resetsAt } }) => {
      const used = rows.filter(({ accountId, ...row }) => accountId === id && (row.used > 0 || row.held > 0));
      const dashboard = used.find(({ slot }) => slot === 0) ?? { slot: 0, used: 0, held: 0 };
      const slots = [dashboard, ...used.filter(({ slot }) => slot !== 0)].map(({ slot, used: units, held }) => ({
        slot,
        used: units,
        held,
      }));
      return [id, { limit, resetsAt, slots }];
    }),
  );
}
