import { plans } from "@reelscript/contract";
import type { Accounts, NewId } from "../../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { onlyRowOf, rowOf, rowsOf, statement } from "../engine/statement.ts";
import { accountColumns, toAccount } from "./account-row.ts";
import { removeAccount } from "./remove-account.ts";

const createAccount = statement(
  "create-account",
  `
    insert into account (id, email, plan, created_at, period_anchor)
    values (:id, :email, :plan, :now, :periodAnchor)
    returning *`,
  accountColumns,
);

const findAccount = statement("find-account", "select * from account where id = :id", accountColumns);

const listAccounts = statement("list-accounts", "select * from account order by created_at, number", accountColumns);

export const createAccounts = ({ pool: database, signals }: Engine, newId: NewId): Accounts => ({
  async create({ email, plan, now }) {
    const periodAnchor = plans[plan].period === "lifetime" ? null : now;
    return toAccount(await onlyRowOf(database, createAccount, { id: newId("acc"), email, plan, now, periodAnchor }));
  },
  async find(accountId) {
    const row = await rowOf(database, findAccount, { id: accountId });
    return row && toAccount(row);
  },
  async list() {
    return (await rowsOf(database, listAccounts)).map(toAccount);
  },
  async remove(accountId, now) {
    const isRemoved = await removeAccount(database, accountId, now);
    signals.announce("bioPages");
    return isRemoved;
  },
});
