import type { Kysely } from "kysely";
import type { Allowances } from "../../ports.ts";
import type { Tables } from "./tables.ts";

export const createAllowances = (database: Kysely<Tables>): Allowances => ({
  async read(subject, period) {
    const row = await database
      .selectFrom("allowance")
      .select(["used", "held"])
      .where("account_id", "=", subject.accountId)
      .where("slot", "=", subject.slot)
      .where("period", "=", period)
      .executeTakeFirst();
    return row ?? { used: 0, held: 0 };
  },
});
