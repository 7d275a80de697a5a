import { plans } from "@reelscript/contract";
import type { PaidPlan } from "../../../ports.ts";
import { lookupKeys } from "../stripe-prices.ts";
import type { DevelopmentCheckout, DevelopmentInvoice, DevelopmentSubscription, Ledger } from "./ledger.ts";

type Shape = Readonly<Record<string, unknown>>;

export const priceIdOf = (plan: PaidPlan): string => `price_dev_${plan}`;

export const toPrice = (plan: PaidPlan): Shape => ({
  id: priceIdOf(plan),
  object: "price",
  active: true,
  lookup_key: lookupKeys[plan],
  currency: "usd",
  unit_amount: plans[plan].dollarsPerMonth * 100,
  product: `prod_dev_${plan}`,
  recurring: { interval: "month", interval_count: 1 },
});

export const toSubscription = (ledger: Ledger, one: DevelopmentSubscription, expanded = false): Shape => {
  const latest = ledger.invoices.findLast(({ subscriptionId }) => subscriptionId === one.id);
  return {
    id: one.id,
    object: "subscription",
    customer: one.customerId,
    status: one.status,
    created: one.created,
    metadata: { account_id: one.accountId },
    cancel_at: one.cancelAtPeriodEnd ? one.periodEnd : null,
    cancel_at_period_end: one.cancelAtPeriodEnd,
    latest_invoice: (expanded && latest && toInvoice(latest)) || (latest?.id ?? null),
    items: {
      object: "list",
      data: [
        {
          id: one.id.replace("sub_", "si_"),
          object: "subscription_item",
          price: toPrice(one.plan),
          current_period_end: one.periodEnd,
        },
      ],
    },
  };
};

/** Cents that were, or will be, taken from the card. */
export const dueOf = ({ total, startingBalance }: DevelopmentInvoice): number => Math.max(0, total + startingBalance);

export const toInvoice = (one: DevelopmentInvoice): Shape => ({
  id: one.id,
  object: "invoice",
  customer: one.customerId,
  status: one.status,
  billing_reason: one.reason,
  created: one.created,
  period_end: one.created,
  currency: "usd",
  total: one.total,
  amount_paid: one.status === "paid" ? dueOf(one) : 0,
  starting_balance: one.startingBalance,
  ending_balance: one.status === "paid" ? one.endingBalance : null,
  status_transitions: { paid_at: one.paidAt },
  parent: {
    type: "subscription_details",
    subscription_details: { subscription: one.subscriptionId, metadata: {} },
  },
  lines: { object: "list", data: [{ object: "line_item", period: { start: one.lineStart, end: one.lineEnd } }] },
});

export const toCheckout = (one: DevelopmentCheckout): Shape => ({
  id: one.id,
  object: "checkout.session",
  mode: "subscription",
  status: one.subscriptionId === null ? "open" : "complete",
  client_reference_id: one.accountId,
  customer: one.customerId,
  subscription: one.subscriptionId,
});
