import type { PlanName } from "@reelscript/contract";
import type { Account, Payment, StoredSubscription, SubscriptionStatus } from "../ports.ts";

/** A failed payment changes nothing yet: the biller tries again, and ends the subscription when it gives up. */
const carrying: ReadonlySet<SubscriptionStatus> = new Set(["trialing", "active", "past_due"]);
const over: ReadonlySet<SubscriptionStatus> = new Set(["canceled", "incomplete_expired"]);

/** True if a subscription gives its plan to the account now. */
export const isLive = ({ status }: { readonly status: SubscriptionStatus }): boolean => carrying.has(status);

/** True if a subscription can never be live again. */
export const isOver = ({ status }: { readonly status: SubscriptionStatus }): boolean => over.has(status);

interface PlanSource {
  readonly plan: PlanName;
  /** The subscription that the plan comes from; `null` for Free and for a plan that the operator gave. */
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
 * The period that a payment begins, for all slots of the account; `undefined` when it begins none: nothing was paid, it
 * does not pay for the account's plan, or a later payment began one already. Billers know whole seconds, so of two
 * payments in the same one the second begins a millisecond later.
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
 * The account's period once a payment is known that begins none. An invoice over nothing, such as that of a downgrade
 * which left credit, puts the next payment off, and with it the day on which use is reset.
 */
export function periodKeptBy<Period extends NonNullable<Account["paidPeriod"]> | null>(
  period: Period,
  payment: Payment,
  subscriptionId: string | null,
): Period {
  if (period === null || payment.subscriptionId !== subscriptionId || payment.periodEnd <= period.end) return period;
  return { ...period, end: payment.periodEnd };
}
