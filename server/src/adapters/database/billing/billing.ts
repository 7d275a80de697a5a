import { subscriptionStatuses, type Billing } from "../../../ports/billing.ts";
import { isPaidPlan } from "../accounts/accounts.ts";
import { isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { statement, transaction, type Database } from "../engine/statement.ts";
import { changePaidAccount, lockPaidAccount } from "./paid-account.ts";

const subscriptionColumns = "id, account_id, customer_id, plan, status, created_at, period_end, cancels_at";
const subscriptionRow = {
  id: isText,
  accountId: isText,
  customerId: orNull(isText),
  plan: isPaidPlan,
  status: isOneOf(...subscriptionStatuses),
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
    where s.version = :version::integer and s.account_id = excluded.account_id`);

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

const storeEvent = statement(`
  insert into billing_event (id, account_id, at) values (:id, :accountId, :now)
  on conflict (id) do nothing`);

const knowsEvent = statement("select id from billing_event where id = :id");

const findRemovedAccount = statement("select id from removed_account where id = :accountId");

/** Thrown to roll back a transaction. */
class Undo extends Error {
  readonly answer: "known" | "stale";

  constructor(answer: "known" | "stale") {
    super(answer);
    this.answer = answer;
  }
}

export const createBilling = (database: Database): Billing => ({
  knows: async (eventId) => (await knowsEvent.run(database, { id: eventId })) > 0,

  async find(id) {
    const row = await findSubscription.row(database, { id });
    if (row === undefined) return undefined;
    const { version, ...subscription } = row;
    return { subscription, version };
  },

  async record({ event, subscription, payment, version, now }) {
    const { accountId } = subscription;
    try {
      return await transaction(database, async (inside) => {
        const account = await lockPaidAccount.row(inside, { accountId });
        if (!account) return (await findRemovedAccount.run(inside, { accountId })) > 0 ? "removed" : "noAccount";
        if (event && (await storeEvent.run(inside, { id: event.id, accountId, now })) === 0) throw new Undo("known");
        const stored = await storeSubscription.run(inside, {
          id: subscription.id,
          accountId,
          customerId: subscription.customerId,
          plan: subscription.plan,
          status: subscription.status,
          createdAt: subscription.createdAt,
          periodEnd: subscription.periodEnd,
          cancelsAt: subscription.cancelsAt,
          version,
          now,
        });
        if (stored === 0) throw new Undo("stale");
        const subscriptions = await listSubscriptions.rows(inside, { accountId });
        const payments = [subscription.lastPayment, payment].filter((one) => one !== null);
        await changePaidAccount(inside, accountId, account, subscriptions, payments);
        return "recorded";
      });
    } catch (error) {
      if (error instanceof Undo) return error.answer;
      throw error;
    }
  },

  async ignore({ id }, now) {
    await storeEvent.run(database, { id, accountId: null, now });
  },

  list: (accountId) => listSubscriptions.rows(database, { accountId }),

  takeOverdue: (now) => takeOverdueSubscriptions.rows(database, { now }),
});
