import type { Allowances } from "../../../ports.ts";
import { isNumber } from "../engine/columns.ts";
import { rowOf, statement, type Database } from "../engine/statement.ts";

const readAllowance = statement(
  "read-allowance",
  "select used, held from allowance where account_id = :accountId and slot = :slot and period = :period",
  { used: isNumber, held: isNumber },
);

export const createAllowances = (database: Database): Allowances => ({
  read: async ({ accountId, slot }, period) =>
    (await rowOf(database, readAllowance, { accountId, slot, period })) ?? { used: 0, held: 0 },
});
