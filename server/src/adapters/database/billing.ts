import { PlanName } from "@reelscript/contract";
import type { Pool, PoolClient } from "pg";
import type { Billing, PaidPlan, Payment, StoredSubscription } from "../../ports.ts";
import { isLive, isOver, periodBegunBy, periodKeptBy, planSourceOf } from "../../subscription-rules.ts";
import { rowsOf, transaction, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

interface SubscriptionRow {
  readonly id: string;
  readonly account_id: string;
  readonly customer_id: string | null;
  readonly plan: string;
  readonly status: string;
  readonly created_at: Date;
  readonly period_end: Date;
  readonly cancels_at: Date | null;
}

interface PaidAccountRow {
  readonly plan: string;
  readonly subscription_id: string | null;
  readonly period_anchor: Date | null;
  readonly paid_from: Date | null;
  readonly paid_until: Date | null;
}

const storeEvent: Statement = {
  name: "store-billing-event",
  text: `
    insert into billing_event (id, account_id, type, at) values ($1, $2, $3, $4)
    on conflict (id) do nothing returning id`,
};

/** Whoever changes an account's plan or period waits here for whoever does already. */
const lockAccount: Statement = {
  name: "lock-paid-account",
  text: "select plan, subscription_id, period_anchor, paid_from, paid_until from account where id = $1 for no key update",
};

const findRemovedAccount: Statement = {
  name: "find-removed-account",
  text: "select id from removed_account where id = $1",
};

const storeSubscription: Statement = {
  name: "store-subscription",
  text: `
    insert into subscription as s (id, account_id, customer_id, plan, status, created_at, period_end, cancels_at, version,
      read_at)
    select $1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz, $8::timestamptz, 1, $9::timestamptz
    where $10::integer = 0 or exists (select from subscription where id = $1)
    on conflict (id) do update set customer_id = excluded.customer_id, plan = excluded.plan, status = excluded.status,
      period_end = excluded.period_end, cancels_at = excluded.cancels_at, version = s.version + 1,
      read_at = excluded.read_at
      where s.version = $10::integer and s.account_id = excluded.account_id
    returning id`,
};

const subscriptionColumns = "id, account_id, customer_id, plan, status, created_at, period_end, cancels_at";

const findSubscription: Statement = {
  name: "find-subscription",
  text: `select ${subscriptionColumns}, version from subscription where id = $1`,
};

const listSubscriptions: Statement = {
  name: "list-subscriptions",
  text: `
    select ${subscriptionColumns} from subscription where account_id = $1 order by created_at desc, id desc`,
};

const storePayment: Statement = {
  name: "store-payment",
  text: `
    insert into payment (invoice_id, account_id, subscription_id, cents, paid_at, starts_at)
    values ($1, $2, $3, $4, $5, $6) on conflict (invoice_id) do nothing returning invoice_id`,
};

const knowsPayment: Statement = {
  name: "knows-payment",
  text: "select invoice_id from payment where invoice_id = $1",
};

const lastPeriodBegan: Statement = {
  name: "last-period-began",
  text: "select max(starts_at) as at from payment where account_id = $1",
};

const storePaidAccount: Statement = {
  name: "store-paid-account",
  text: `
    update account set plan = $2, subscription_id = $3, period_anchor = $4, paid_from = $5, paid_until = $6
    where id = $1`,
};

const takeOverdueSubscriptions: Statement = {
  name: "take-overdue-subscriptions",
  text: `
    update subscription set read_at = $1 where id in (
      select id from subscription
      where period_end <= $1::timestamptz and status not in ('canceled', 'incomplete_expired')
        and read_at <= $1::timestamptz - interval '1 hour'
      order by read_at limit 20 for update skip locked
    )
    returning id, account_id`,
};

const toSubscription = (row: SubscriptionRow): StoredSubscription => ({
  id: row.id,
  accountId: row.account_id,
  customerId: row.customer_id,
  plan: row.plan as PaidPlan, // safe: nothing else is written
  status: row.status as StoredSubscription["status"], // safe: nothing else is written
  createdAt: row.created_at,
  periodEnd: row.period_end,
  cancelsAt: row.cancels_at,
});

/** Thrown to undo what a transaction wrote already. */
class Undo extends Error {
  readonly answer: "known" | "stale";

  constructor(answer: "known" | "stale") {
    super(answer);
    this.answer = answer;
  }
}

export const createBilling = (pool: Pool): Billing => ({
  async knows(eventId) {
    const statement = { name: "knows-billing-event", text: "select id from billing_event where id = $1" };
    return (await rowsOf(pool, statement, [storable(eventId)])).length > 0;
  },

  async find(subscriptionId) {
    const [row] = await rowsOf<SubscriptionRow & { version: number }>(pool, findSubscription, [
      storable(subscriptionId),
    ]);
    return row && { subscription: toSubscription(row), version: row.version };
  },

  async record({ event, subscription, payment, version, now }) {
    const { accountId } = subscription;
    try {
      return await transaction(pool, async (client) => {
        const [account] = await rowsOf<PaidAccountRow>(client, lockAccount, [storable(accountId)]);
        if (!account)
          return (await rowsOf(client, findRemovedAccount, [storable(accountId)])).length > 0 ? "removed" : "noAccount";
        if (event) {
          const stored = await rowsOf(client, storeEvent, [storable(event.id), accountId, storable(event.type), now]);
          if (stored.length === 0) throw new Undo("known");
        }
        if (!(await store(client, subscription, version, now))) throw new Undo("stale");
        const subscriptions = (await rowsOf<SubscriptionRow>(client, listSubscriptions, [accountId])).map(
          toSubscription,
        );
        const payments = [subscription.lastPayment, payment].filter((one) => one !== null);
        await change(client, accountId, account, subscriptions, payments);
        return "recorded";
      });
    } catch (error) {
      if (error instanceof Undo) return error.answer;
      throw error;
    }
  },

  async ignore({ id, type }, now) {
    await rowsOf(pool, storeEvent, [storable(id), null, storable(type), now]);
  },

  async list(accountId) {
    return (await rowsOf<SubscriptionRow>(pool, listSubscriptions, [storable(accountId)])).map(toSubscription);
  },

  async takeOverdue(now) {
    const rows = await rowsOf<{ id: string; account_id: string }>(pool, takeOverdueSubscriptions, [now]);
    return rows.map((row) => ({ id: row.id, accountId: row.account_id }));
  },

  async forget(now) {
    const statement = {
      name: "forget-billing-events",
      text: "delete from billing_event where at < $1::timestamptz - interval '60 days'",
    };
    await rowsOf(pool, statement, [now]);
  },
});

async function store(
  client: PoolClient,
  subscription: StoredSubscription,
  version: number,
  now: Date,
): Promise<boolean> {
  const { id, accountId, customerId, plan, status, createdAt, periodEnd, cancelsAt } = subscription;
  const values = [
    storable(id),
    accountId,
    customerId && storable(customerId),
    plan,
    status,
    createdAt,
    periodEnd,
    cancelsAt,
  ];
  return (await rowsOf(client, storeSubscription, [...values, now, version])).length === 1;
}

/** Brings plan and paid period of a locked account into agreement with its subscriptions and payments. */
async function change(
  client: PoolClient,
  accountId: string,
  account: PaidAccountRow,
  subscriptions: readonly StoredSubscription[],
  payments: readonly Payment[],
): Promise<void> {
  const { period_anchor, paid_from, paid_until, subscription_id } = account;
  const before = { plan: PlanName.parse(account.plan), subscriptionId: subscription_id };
  const source = planSourceOf(before, subscriptions);
  const ended = before.subscriptionId !== null && source.subscriptionId === null;
  let period = !ended && paid_from && paid_until ? { start: paid_from, end: paid_until } : null;
  for (const payment of payments.toSorted((a, b) => a.paidAt.getTime() - b.paidAt.getTime())) {
    // It is told again once its subscription is live; what is stored begins no period any more.
    if (subscriptions.some((one) => one.id === payment.subscriptionId && !isLive(one) && !isOver(one))) continue;
    const invoiceId = storable(payment.invoiceId);
    if ((await rowsOf(client, knowsPayment, [invoiceId])).length > 0) continue;
    const [last] = await rowsOf<{ at: Date | null }>(client, lastPeriodBegan, [accountId]);
    const begun = periodBegunBy(payment, source.subscriptionId, last?.at ?? null);
    const { subscriptionId, cents, paidAt } = payment;
    const values = [invoiceId, accountId, storable(subscriptionId), cents, paidAt, begun?.start ?? null];
    await rowsOf(client, storePayment, values);
    period = begun ?? periodKeptBy(period, payment, source.subscriptionId);
  }
  await rowsOf(client, storePaidAccount, [
    accountId,
    source.plan,
    source.subscriptionId,
    ended ? null : period_anchor,
    period?.start ?? null,
    period?.end ?? null,
  ]);
}
