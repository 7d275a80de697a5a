import { PlanName, plans } from "@reelscript/contract";
import type { Kysely, Selectable } from "kysely";
import type { Pool } from "pg";
import type { Account, Accounts, NewId } from "../../ports.ts";
import { removeAccount } from "./remove-account.ts";
import { storable } from "./storable.ts";
import type { Tables } from "./tables.ts";

/** The account's columns beside those of what belongs to it. */
export interface JoinedAccount extends Pick<
  Selectable<Tables["account"]>,
  "email" | "plan" | "period_anchor" | "paid_from" | "paid_until"
> {
  readonly account_name: string | null;
  readonly account_created_at: Date;
}

export const toAccount = (row: Omit<Selectable<Tables["account"]>, "number" | "subscription_id">): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  plan: PlanName.parse(row.plan),
  createdAt: row.created_at,
  periodAnchor: row.period_anchor,
  paidPeriod: row.paid_from && row.paid_until && { start: row.paid_from, end: row.paid_until },
});

export const createAccounts = (pool: Pool, database: Kysely<Tables>, newId: NewId): Accounts => ({
  async create({ email, plan, now }) {
    const row = await database
      .insertInto("account")
      .values({
        id: newId("acc"),
        email: storable(email),
        plan,
        created_at: now,
        period_anchor: plans[plan].period === "lifetime" ? null : now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toAccount(row);
  },
  async find(accountId) {
    const row = await database
      .selectFrom("account")
      .selectAll()
      .where("id", "=", storable(accountId))
      .executeTakeFirst();
    return row && toAccount(row);
  },
  async list() {
    const rows = await database.selectFrom("account").selectAll().orderBy("created_at").orderBy("number").execute();
    return rows.map(toAccount);
  },
  remove: (accountId, now) => removeAccount(pool, storable(accountId), now),
});
