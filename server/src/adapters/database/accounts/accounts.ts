import { PlanName, plans } from "@reelscript/contract";
import type { Account, Accounts, NewId } from "../../../ports.ts";
import { isMoment, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { statement, type RowOf, type Transaction } from "../engine/statement.ts";
import { accountDeleted } from "../engine/unavailable.ts";
import { removeAccount } from "./remove-account.ts";

export const isPaidPlan = isOneOf(...PlanName.exclude(["free"]).options);
export const isPlan = isOneOf(...PlanName.options);

/** An account's columns in a join with a row that has its own id, name and time. */
export const joinedAccountColumns = {
  email: isText,
  plan: isPlan,
  periodAnchor: orNull(isMoment),
  paidFrom: orNull(isMoment),
  paidUntil: orNull(isMoment),
  suspendedAt: orNull(isMoment),
};

export const accountColumns = { ...joinedAccountColumns, id: isText, name: orNull(isText), createdAt: isMoment };

export const toAccount = (row: RowOf<typeof accountColumns>): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  plan: row.plan,
  createdAt: row.createdAt,
  periodAnchor: row.periodAnchor,
  paidPeriod: row.paidFrom && row.paidUntil && { start: row.paidFrom, end: row.paidUntil },
  ...(row.suspendedAt && { suspendedAt: row.suspendedAt }),
});

const createAccount = statement(`
  insert into account (id, email, plan, created_at, period_anchor)
  values (:id, :email, :plan, :now, :periodAnchor)
  returning *`).reading(accountColumns);

const findAccount = statement("select * from account where id = :id").reading(accountColumns);

/** Numbers rise with the time of creation. */
const listAccounts = statement(`
  select * from account
  where number > coalesce((select number from account where id = :after), 0)
  order by number limit :limit::integer`).reading(accountColumns);

/** The last character of all, behind every address that begins with the text. */
const searchAccounts = statement(`
  select * from account
  where lower(email) collate "C" >= lower(:search::text) and lower(email) collate "C" < lower(:search::text) || chr(1114111)
    and (:after::text is null or (lower(email) collate "C", id collate "C") > (
      select lower(email) collate "C", id collate "C" from account where id = :after
    ))
  order by lower(email) collate "C", id collate "C" limit :limit::integer`).reading(accountColumns);

/** A subscription decides the plan. A month that has begun stays the same. */
const changePlan = statement(`
  with changed as (
    update account set plan = :plan,
      period_anchor = case when :monthly::boolean then coalesce(period_anchor, :now::timestamptz) end
    where id = :id and subscription_id is null
    returning *
  ), noted as (
    insert into plan_change (at, actor, account_id, plan, reason)
    select :now::timestamptz, :by, id, plan, :reason from changed
  )
  select * from changed`).reading(accountColumns);

export const createAccounts = ({ pool: database, signals }: Engine, newId: NewId): Accounts => ({
  async create({ email, plan, now }) {
    const periodAnchor = plans[plan].period === "lifetime" ? null : now;
    return toAccount(await createAccount.onlyRow(database, { id: newId("acc"), email, plan, now, periodAnchor }));
  },
  async find(accountId) {
    const row = await findAccount.row(database, { id: accountId });
    return row && toAccount(row);
  },
  async list({ limit = null, after = null, search } = {}) {
    if (search === undefined) return (await listAccounts.rows(database, { limit, after })).map(toAccount);
    const byId = await findAccount.row(database, { id: search });
    if (byId !== undefined) return after === null ? [toAccount(byId)] : [];
    return (await searchAccounts.rows(database, { search, limit, after })).map(toAccount);
  },
  async changePlan(accountId, plan, { by, reason, now }) {
    const monthly = plans[plan].period !== "lifetime";
    const row = await changePlan.row(database, { id: accountId, plan, monthly, by, reason, now });
    if (row !== undefined) return toAccount(row);
    return (await findAccount.row(database, { id: accountId })) === undefined ? "noAccount" : "subscribed";
  },
  async remove(accountId, now) {
    const isRemoved = await removeAccount(database, accountId, now);
    signals.announce("bioPages");
    return isRemoved;
  },
});

/** Serializes transactions that change the account. Finds no row if the account is gone. */
export const lockToChange = statement("select id from account where id = :accountId for no key update");

/** Doesn't block other changes of the account. */
const lockToKeep = statement("select id from account where id = :accountId for key share");

/**
 * Keeps the account from being deleted until the transaction ends. Lock it before the account's own rows: deletion uses this
 * order too, and the reverse would deadlock. Throws `unauthorized` when the account is gone.
 */
export async function lockAccount(inside: Transaction, accountId: string, lock = lockToKeep): Promise<void> {
  if ((await lock.run(inside, { accountId })) === 0) throw accountDeleted();
}
