import type Stripe from "stripe";
import type { BilledSubscription } from "../../ports.ts";
import { idOf, momentOf, paymentOf, statusOf } from "./stripe-objects.ts";
import type { StripePrices } from "./stripe-prices.ts";

/** A subscription of ours as the service knows it; `undefined` for one that was not made here. */
export async function billedSubscriptionOf(
  subscription: Stripe.Subscription,
  prices: StripePrices,
): Promise<BilledSubscription | undefined> {
  const { id, metadata, customer, created, cancel_at, cancel_at_period_end, latest_invoice } = subscription;
  const [item] = subscription.items.data;
  if (metadata.account_id === undefined || item === undefined) return undefined;
  const plan = await prices.planOf(item.price);
  // Of another service that sells through the same Stripe account.
  if (plan === undefined && !metadata.account_id.startsWith("acc_")) return undefined;
  if (plan === undefined) throw new Error(`The subscription ${id} has the price ${item.price.id}, which is no plan's`);
  const periodEnd = momentOf(item.current_period_end);
  const invoice = typeof latest_invoice === "string" ? null : latest_invoice;
  return {
    id,
    accountId: metadata.account_id,
    customerId: idOf(customer) ?? "",
    plan,
    status: statusOf(subscription),
    createdAt: momentOf(created),
    periodEnd,
    cancelsAt: cancel_at === null ? (cancel_at_period_end ? periodEnd : null) : momentOf(cancel_at),
    lastPayment: (invoice && paymentOf(invoice)) ?? null,
  };
}
