import { plans } from "@reelscript/contract";
import type Stripe from "stripe";
import { periodAt } from "../../../rules/allowance.ts";
import type { PaidPlan } from "../../../ports.ts";
import {
  newDevelopmentId,
  type DevelopmentCheckout,
  type DevelopmentInvoice,
  type DevelopmentSubscription,
  type Ledger,
} from "./ledger.ts";
import { toCheckout, toInvoice, toSubscription } from "./stripe-shapes.ts";

/** An event to send, with the object as it is now. */
export interface Happening {
  readonly type: Stripe.Event["type"];
  readonly object: unknown;
}

const ofSubscription = (
  what: "created" | "updated" | "deleted",
  ledger: Ledger,
  subscription: DevelopmentSubscription,
): Happening => ({ type: `customer.subscription.${what}`, object: toSubscription(ledger, subscription) });

const paid = (invoice: DevelopmentInvoice): Happening => ({ type: "invoice.paid", object: toInvoice(invoice) });

const centsOf = (plan: PaidPlan): number => plans[plan].dollarsPerMonth * 100;

const monthAfter = ({ anchor }: DevelopmentSubscription, from: number): number =>
  periodAt(new Date(anchor * 1_000), new Date(from * 1_000)).end.getTime() / 1_000;

/** The card is good: a subscription begins, with its first invoice paid. */
export function payCheckout(ledger: Ledger, checkout: DevelopmentCheckout, now: number): Happening[] {
  const customer = ledger.customers[checkout.customerId ?? ""] ?? { id: newDevelopmentId("cus"), balance: 0 };
  ledger.customers[customer.id] = customer;
  const subscription: DevelopmentSubscription = {
    id: newDevelopmentId("sub"),
    accountId: checkout.accountId,
    customerId: customer.id,
    plan: checkout.plan,
    status: "active",
    created: now,
    anchor: now,
    periodStart: now,
    periodEnd: now,
    cancelAtPeriodEnd: false,
    failsNext: false,
  };
  subscription.periodEnd = monthAfter(subscription, now);
  ledger.subscriptions[subscription.id] = subscription;
  checkout.customerId = customer.id;
  checkout.subscriptionId = subscription.id;
  checkout.declined = false;
  const invoice = addInvoice(ledger, subscription, "subscription_create", centsOf(subscription.plan), now);
  settle(ledger, invoice, now);
  return [
    { type: "checkout.session.completed", object: toCheckout(checkout) },
    ofSubscription("created", ledger, subscription),
    paid(invoice),
  ];
}

/** The cost of a plan change, in cents: a month of the new plan less the unused rest of the paid month. */
export function priceOfChange(subscription: DevelopmentSubscription, plan: PaidPlan, now: number) {
  const { periodStart, periodEnd } = subscription;
  const rest = Math.min(1, Math.max(0, (periodEnd - now) / (periodEnd - periodStart)));
  const month = centsOf(plan);
  const unused = Math.round(centsOf(subscription.plan) * rest);
  /** Below 0 it is credit for later invoices. */
  return { month, unused, total: month - unused };
}

/** `"declined"`, and nothing changes, when money is due and the card fails. */
export function changePlan(
  ledger: Ledger,
  subscription: DevelopmentSubscription,
  plan: PaidPlan,
  now: number,
): Happening[] | "declined" {
  if (subscription.plan === plan || subscription.status !== "active") return [];
  const { total } = priceOfChange(subscription, plan, now);
  if (total + balanceOf(ledger, subscription) > 0 && subscription.failsNext) {
    subscription.failsNext = false;
    return "declined";
  }
  subscription.plan = plan;
  // A period that was let end before its time has begun already.
  subscription.periodStart = Math.max(now, subscription.periodStart);
  subscription.anchor = subscription.periodStart;
  subscription.periodEnd = monthAfter(subscription, subscription.periodStart);
  const invoice = addInvoice(ledger, subscription, "subscription_update", total, now);
  settle(ledger, invoice, now);
  return [ofSubscription("updated", ledger, subscription), paid(invoice)];
}

/** Ends a period: the subscription ends, is paid for again, or its payment fails. */
export function endPeriod(ledger: Ledger, subscription: DevelopmentSubscription, now: number): Happening[] {
  if (subscription.status === "canceled") return [];
  if (subscription.cancelAtPeriodEnd) return cancelNow(ledger, subscription);
  subscription.periodStart = subscription.periodEnd;
  subscription.periodEnd = monthAfter(subscription, subscription.periodStart);
  const invoice = addInvoice(ledger, subscription, "subscription_cycle", centsOf(subscription.plan), now);
  const failed = subscription.failsNext;
  subscription.failsNext = false;
  if (failed) subscription.status = "past_due";
  else settle(ledger, invoice, now);
  return [
    ofSubscription("updated", ledger, subscription),
    failed ? { type: "invoice.payment_failed", object: toInvoice(invoice) } : paid(invoice),
  ];
}

/** Pays what is open, after which the subscription is as good as before. */
export function payOpen(ledger: Ledger, subscription: DevelopmentSubscription, now: number): Happening[] {
  const open = openInvoicesOf(ledger, subscription);
  if (open.length === 0 || subscription.status !== "past_due") return [];
  for (const invoice of open) settle(ledger, invoice, now);
  subscription.status = "active";
  return [ofSubscription("updated", ledger, subscription), ...open.map(paid)];
}

export function setCancelAtPeriodEnd(
  ledger: Ledger,
  subscription: DevelopmentSubscription,
  cancel: boolean,
): Happening[] {
  if (subscription.status === "canceled" || subscription.cancelAtPeriodEnd === cancel) return [];
  subscription.cancelAtPeriodEnd = cancel;
  return [ofSubscription("updated", ledger, subscription)];
}

export function cancelNow(ledger: Ledger, subscription: DevelopmentSubscription): Happening[] {
  if (subscription.status === "canceled") return [];
  subscription.status = "canceled";
  for (const invoice of openInvoicesOf(ledger, subscription)) invoice.status = "void";
  return [ofSubscription("deleted", ledger, subscription)];
}

const openInvoicesOf = (ledger: Ledger, subscription: DevelopmentSubscription): DevelopmentInvoice[] =>
  ledger.invoices.filter(({ subscriptionId, status }) => subscriptionId === subscription.id && status === "open");

function addInvoice(
  ledger: Ledger,
  subscription: DevelopmentSubscription,
  reason: DevelopmentInvoice["reason"],
  total: number,
  now: number,
): DevelopmentInvoice {
  const balance = balanceOf(ledger, subscription);
  const invoice: DevelopmentInvoice = {
    id: newDevelopmentId("in"),
    subscriptionId: subscription.id,
    customerId: subscription.customerId,
    plan: subscription.plan,
    reason,
    status: "open",
    created: now,
    paidAt: null,
    total,
    startingBalance: balance,
    endingBalance: balance,
    lineStart: subscription.periodStart,
    lineEnd: subscription.periodEnd,
  };
  ledger.invoices.push(invoice);
  return invoice;
}

/** Credit, a balance below 0, pays first; what is owed to the customer becomes credit. */
function settle(ledger: Ledger, invoice: DevelopmentInvoice, now: number): void {
  const customer = ledger.customers[invoice.customerId]!; // safe: an invoice is made with its customer
  invoice.startingBalance = customer.balance;
  customer.balance = Math.min(0, customer.balance + invoice.total);
  invoice.endingBalance = customer.balance;
  invoice.status = "paid";
  invoice.paidAt = now;
}

/** Below 0: the customer's credit. */
export const balanceOf = (ledger: Ledger, { customerId }: DevelopmentSubscription): number =>
  ledger.customers[customerId]!.balance; // safe: a subscription is made with its customer
