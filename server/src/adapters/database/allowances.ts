import type { Pool } from "pg";
import type { Allowances } from "../../ports.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

const readAllowance: Statement = {
  name: "read-allowance",
  text: "select used, held from allowance where account_id = $1 and slot = $2 and period = $3",
};

export const createAllowances = (pool: Pool): Allowances => ({
  async read({ accountId, slot }, period) {
    const [row] = await rowsOf<{ used: number; held: number }>(pool, readAllowance, [
      storable(accountId),
      slot,
      period,
    ]);
    return row ?? { used: 0, held: 0 };
  },
});
