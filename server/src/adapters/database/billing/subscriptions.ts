import type { StoredSubscription } from "../../../ports.ts";
import { isPaidPlan } from "../accounts/account-row.ts";
import { isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import {
  execute,
  rowOf,
  rowsOf,
  statement,
  type Database,
  type Queryable,
  type Transaction,
} from "../engine/statement.ts";

const subscriptionColumns = "id, account_id, customer_id, plan, status, created_at, period_end, cancels_at";
const subscriptionRow = {
  id: isText,
  accountId: isText,
  customerId: orNull(isText),
  plan: isPaidPlan,
  status: isOneOf("incomplete", "incomplete_expired", "trialing", "active", "past_due", "canceled", "unpaid", "paused"),
  createdAt: isMoment,
  periodEnd: isMoment,
  cancelsAt: orNull(isMoment),
};

const storeSubscription = statement(`
  insert into subscription as s (id, account_id, customer_id, plan, status, created_at, period_end, cancels_at, version,
    read_at)
  select :id, :accountId, :customerId, :plan, :status, :createdAt::timestamptz, :periodEnd::timestamptz, :cancelsAt::timestamptz, 1, :now::timestamptz
  where :version::integer = 0 or exists (select from subscription where id = :id)
  on conflict (id) do update set customer_id = excluded.customer_id, plan = excluded.plan, status = excluded.status,
    period_end = excluded.period_end, cancels_at = excluded.cancels_at, version = s.version + 1,
    read_at = excluded.read_at
    where s.version = :version::integer and s.account_id = excluded.account_id
  returning id`);

const findSubscription = statement(`select ${subscriptionColumns}, version from subscription where id = :id`).reading({
  ...subscriptionRow,
  version: isNumber,
});

const listSubscriptions = statement(`
  select ${subscriptionColumns} from subscription
  where account_id = :accountId order by created_at desc, id desc`).reading(subscriptionRow);

const takeOverdueSubscriptions = statement(`
  update subscription set read_at = :now where id in (
    select id from subscription
    where period_end <= :now::timestamptz and status not in ('canceled', 'incomplete_expired')
      and read_at <= :now::timestamptz - interval '1 hour'
    order by read_at limit 20 for update skip locked
  )
  returning id, account_id`).reading({ id: isText, accountId: isText });

export async function findStoredSubscription(database: Database, id: string) {
  const row = await rowOf(database, findSubscription, { id });
  if (row === undefined) return undefined;
  const { version, ...subscription } = row;
  return { subscription, version };
}

/** Newest first. */
export const listStoredSubscriptions = (on: Queryable, accountId: string): Promise<StoredSubscription[]> =>
  rowsOf(on, listSubscriptions, { accountId });

/** False when another reading was stored since `version`. */
export async function keepSubscription(
  inside: Transaction,
  { id, accountId, customerId, plan, status, createdAt, periodEnd, cancelsAt }: StoredSubscription,
  version: number,
  now: Date,
): Promise<boolean> {
  const reading = { id, accountId, customerId, plan, status, createdAt, periodEnd, cancelsAt, version, now };
  return (await execute(inside, storeSubscription, reading)) === 1;
}

export const takeOverdueStored = (database: Database, now: Date) => rowsOf(database, takeOverdueSubscriptions, { now });
