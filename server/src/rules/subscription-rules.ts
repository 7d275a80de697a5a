import type { PlanName } from "@reelscript/contract";
import type { Account, Payment, StoredSubscription, SubscriptionStatus } from "../ports.ts";

/** A failed payment changes nothing yet: the biller tries again, and ends the subscription if it gives up. */
const carrying: ReadonlySet<SubscriptionStatus> = new Set(["trialing", "active", "past_due"]);
const over: ReadonlySet<SubscriptionStatus> = new Set(["canceled", "incomplete_expired"]);

/** True if a subscription currently gives its plan to the account. */
export const isLive = ({ status }: { readonly status: SubscriptionStatus }): boolean => carrying.has(status);

/** True if a subscription can never be live again. */
export const isOver = ({ status }: { readonly status: SubscriptionStatus }): boolean => over.has(status);

interface PlanSource {
  readonly plan: PlanName;
  /** The subscription that the plan comes from; `null` for Free and for a plan set by the operator. */
  readonly subscriptionId: string | null;
}

/**
 * The source of the account's plan: the newest live subscription; Free if the plan came from a subscription that is no longer
 * live; otherwise unchanged, so that a subscription that never began takes nothing away.
 */
export function planSourceOf(
  before: PlanSource,
  subscriptions: readonly Pick<StoredSubscription, "id" | "plan" | "status" | "createdAt">[],
): PlanSource {
  const [newest] = subscriptions
    .filter(isLive)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  if (newest) return { plan: newest.plan, subscriptionId: newest.id };
  return before.subscriptionId === null ? before : { plan: "free", subscriptionId: null };
}

/**
 * The period that a payment begins, for all slots of the account; `undefined` if it begins none: nothing was paid, it does not
 * pay for the account's plan, or a later payment already began one. Billers use whole seconds, so of two payments in the same
 * second the later begins a millisecond after the first.
 */
export function periodBegunBy(
  payment: Payment,
  subscriptionId: string | null,
  lastBegan: Date | null,
): NonNullable<Account["paidPeriod"]> | undefined {
  if (payment.cents <= 0 || payment.subscriptionId !== subscriptionId) return undefined;
  if (lastBegan === null) return { start: payment.paidAt, end: payment.periodEnd };
  const second = (moment: Date): number => Math.floor(moment.getTime() / 1_000);
  if (second(payment.paidAt) < second(lastBegan)) return undefined;
  const start = new Date(Math.max(payment.paidAt.getTime(), lastBegan.getTime() + 1));
  return { start, end: payment.periodEnd };
}

/**
 * The account's period after an invoice that begins none. An invoice for $0, such as after a downgrade that left credit,
 * postpones the next payment, and with it the day on which use is reset.
 */
export function periodKeptBy<Period extends NonNullable<Account["paidPeriod"]> | null>(
  period: Period,
  payment: Payment,
  subscriptionId: string | null,
): Period {
  if (period === null || payment.subscriptionId !== subscriptionId || payment.periodEnd <= period.end) return period;
  return { ...period, end: payment.periodEnd };
}
