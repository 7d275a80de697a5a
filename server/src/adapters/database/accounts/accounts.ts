import { plans } from "@reelscript/contract";
import type { Accounts, NewId } from "../../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { statement, type Transaction } from "../engine/statement.ts";
import { accountDeleted } from "../engine/unavailable.ts";
import { accountColumns, toAccount } from "./account-row.ts";
import { removeAccount } from "./remove-account.ts";

const createAccount = statement(`
  insert into account (id, email, plan, created_at, period_anchor)
  values (:id, :email, :plan, :now, :periodAnchor)
  returning *`).reading(accountColumns);

const findAccount = statement("select * from account where id = :id").reading(accountColumns);

const listAccounts = statement("select * from account order by created_at, number").reading(accountColumns);

export const createAccounts = ({ pool: database, signals }: Engine, newId: NewId): Accounts => ({
  async create({ email, plan, now }) {
    const periodAnchor = plans[plan].period === "lifetime" ? null : now;
    return toAccount(await createAccount.onlyRow(database, { id: newId("acc"), email, plan, now, periodAnchor }));
  },
  async find(accountId) {
    const row = await findAccount.row(database, { id: accountId });
    return row && toAccount(row);
  },
  async list() {
    return (await listAccounts.rows(database)).map(toAccount);
  },
  async remove(accountId, now) {
    const isRemoved = await removeAccount(database, accountId, now);
    signals.announce("bioPages");
    return isRemoved;
  },
});

/** Makes transactions that change the account wait for one another. Finds no row when the account is gone. */
export const lockToChange = statement("select id from account where id = :accountId for no key update");

/** Others may change the account meanwhile. */
const lockToKeep = statement("select id from account where id = :accountId for key share");

/**
 * Keeps the account from being deleted until the transaction ends. Lock it before the account's own rows: deletion uses this
 * order too, and the reverse would deadlock. Throws `unauthorized` when the account is gone.
 */
export async function lockAccount(inside: Transaction, accountId: string, lock = lockToKeep): Promise<void> {
  if ((await lock.run(inside, { accountId })) === 0) throw accountDeleted();
}
