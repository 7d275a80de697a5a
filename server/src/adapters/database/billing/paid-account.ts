import type { Payment, StoredSubscription } from "../../../ports.ts";
import { isLive, isOver, periodBegunBy, periodKeptBy, planSourceOf } from "../../../rules/subscription-rules.ts";
import { isPlan } from "../accounts/accounts.ts";
import { isMoment, isText, orNull } from "../engine/columns.ts";
import { statement, type RowOf, type Transaction } from "../engine/statement.ts";

const paidAccountRow = {
  plan: isPlan,
  subscriptionId: orNull(isText),
  periodAnchor: orNull(isMoment),
  paidFrom: orNull(isMoment),
  paidUntil: orNull(isMoment),
};

/** Serializes changes of an account's plan or period. */
export const lockPaidAccount = statement(
  "select plan, subscription_id, period_anchor, paid_from, paid_until from account where id = :accountId for no key update",
).reading(paidAccountRow);

const storePayment = statement(`
  insert into payment (invoice_id, account_id, subscription_id, starts_at)
  values (:invoiceId, :accountId, :subscriptionId, :startsAt) on conflict (invoice_id) do nothing`);

const knowsPayment = statement("select invoice_id from payment where invoice_id = :invoiceId");

const lastPeriodBegan = statement("select max(starts_at) as at from payment where account_id = :accountId").reading({
  at: orNull(isMoment),
});

const storePaidAccount = statement(`
  update account set plan = :plan, subscription_id = :subscriptionId, period_anchor = :periodAnchor, paid_from = :paidFrom, paid_until = :paidUntil
  where id = :accountId`);

/** Updates plan and paid period of a locked account from its subscriptions and payments. */
export async function changePaidAccount(
  inside: Transaction,
  accountId: string,
  account: RowOf<typeof paidAccountRow>,
  subscriptions: readonly StoredSubscription[],
  payments: readonly Payment[],
): Promise<void> {
  const { periodAnchor, paidFrom, paidUntil } = account;
  const before = { plan: account.plan, subscriptionId: account.subscriptionId };
  const source = planSourceOf(before, subscriptions);
  const ended = before.subscriptionId !== null && source.subscriptionId === null;
  let period = !ended && paidFrom && paidUntil ? { start: paidFrom, end: paidUntil } : null;
  for (const payment of payments.toSorted((a, b) => a.paidAt.getTime() - b.paidAt.getTime())) {
    // A payment is reported again once its subscription is live; if it were already stored, it would begin no period then.
    if (subscriptions.some((one) => one.id === payment.subscriptionId && !isLive(one) && !isOver(one))) continue;
    const { invoiceId, subscriptionId } = payment;
    if ((await knowsPayment.run(inside, { invoiceId })) > 0) continue;
    const { at: lastBegan } = await lastPeriodBegan.onlyRow(inside, { accountId });
    const begun = periodBegunBy(payment, source.subscriptionId, lastBegan);
    const startsAt = begun?.start ?? null;
    await storePayment.run(inside, { invoiceId, accountId, subscriptionId, startsAt });
    period = begun ?? periodKeptBy(period, payment, source.subscriptionId);
  }
  await storePaidAccount.run(inside, {
    accountId,
    plan: source.plan,
    subscriptionId: source.subscriptionId,
    periodAnchor: ended ? null : periodAnchor,
    paidFrom: period?.start ?? null,
    paidUntil: period?.end ?? null,
  });
}
