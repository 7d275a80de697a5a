import { randomBytes } from "node:crypto";
import { plans } from "@reelscript/contract";
import { lookupKeys } from "../../src/adapters/billing/stripe-prices.ts";
import type { PaidPlan } from "../../src/ports.ts";
import { periodAt } from "../../src/rules/allowance.ts";

/** Money in cents, moments in Unix seconds, as Stripe counts them. */
export interface Subscription {
  readonly id: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly created: number;
  plan: PaidPlan;
  status: "active" | "past_due" | "canceled";
  /** From where months are counted. */
  anchor: number;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  failsNext: boolean;
}

export interface Invoice {
  readonly id: string;
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly plan: PaidPlan;
  readonly reason: "subscription_create" | "subscription_cycle" | "subscription_update";
  readonly created: number;
  readonly total: number;
  readonly lineStart: number;
  readonly lineEnd: number;
  status: "open" | "paid" | "void";
  paidAt: number | null;
  startingBalance: number;
  endingBalance: number;
}

/** The accounts of customers. A balance below 0 is credit. */
export interface Books {
  readonly balances: Map<string, number>;
  readonly subscriptions: Subscription[];
  /** Oldest first. */
  readonly invoices: Invoice[];
}

export const emptyBooks = (): Books => ({ balances: new Map(), subscriptions: [], invoices: [] });

/** An event to send, with the object as it is now. */
export interface Happening {
  readonly type: string;
  readonly object: object;
}

export const newStripeId = (prefix: string): string => `${prefix}_dev${randomBytes(16).toString("hex")}`;

export const priceIdOf = (plan: PaidPlan): string => `price_dev_${plan}`;
const centsOf = (plan: PaidPlan): number => plans[plan].dollarsPerMonth * 100;

const monthAfter = ({ anchor }: Subscription, from: number): number =>
  periodAt(new Date(anchor * 1_000), new Date(from * 1_000)).end.getTime() / 1_000;

/** The card is good: a subscription begins, with its first invoice paid. */
export function beginSubscription(
  books: Books,
  { accountId, customerId, plan }: Pick<Subscription, "accountId" | "customerId" | "plan">,
  now: number,
): { subscription: Subscription; happenings: Happening[] } {
  const subscription: Subscription = {
    id: newStripeId("sub"),
    accountId,
    customerId,
    plan,
    status: "active",
    created: now,
    anchor: now,
    periodStart: now,
    periodEnd: now,
    cancelAtPeriodEnd: false,
    failsNext: false,
  };
  subscription.periodEnd = monthAfter(subscription, now);
  books.subscriptions.push(subscription);
  const invoice = addInvoice(books, subscription, "subscription_create", centsOf(plan), now);
  settle(books, invoice, now);
  return { subscription, happenings: [ofSubscription("created", books, subscription), paid(invoice)] };
}

/** A month of the new plan less the unused rest of the paid month, as the portal is configured. `"declined"` changes nothing. */
export function changePlan(
  books: Books,
  subscription: Subscription,
  plan: PaidPlan,
  now: number,
): Happening[] | "declined" {
  if (subscription.plan === plan || subscription.status !== "active") return [];
  const { periodStart, periodEnd } = subscription;
  const rest = Math.min(1, Math.max(0, (periodEnd - now) / (periodEnd - periodStart)));
  const total = centsOf(plan) - Math.round(centsOf(subscription.plan) * rest);
  if (total + balanceOf(books, subscription) > 0 && subscription.failsNext) {
    subscription.failsNext = false;
    return "declined";
  }
  subscription.plan = plan;
  // A period that was let end before its time has begun already.
  subscription.periodStart = Math.max(now, periodStart);
  subscription.anchor = subscription.periodStart;
  subscription.periodEnd = monthAfter(subscription, subscription.periodStart);
  const invoice = addInvoice(books, subscription, "subscription_update", total, now);
  settle(books, invoice, now);
  return [ofSubscription("updated", books, subscription), paid(invoice)];
}

/** Ends a period: the subscription ends, is paid for again, or its payment fails. */
export function endPeriod(books: Books, subscription: Subscription, now: number): Happening[] {
  if (subscription.status === "canceled") return [];
  if (subscription.cancelAtPeriodEnd) return cancelNow(books, subscription);
  subscription.periodStart = subscription.periodEnd;
  subscription.periodEnd = monthAfter(subscription, subscription.periodStart);
  const invoice = addInvoice(books, subscription, "subscription_cycle", centsOf(subscription.plan), now);
  const failed = subscription.failsNext;
  subscription.failsNext = false;
  if (failed) subscription.status = "past_due";
  else settle(books, invoice, now);
  return [
    ofSubscription("updated", books, subscription),
    failed ? { type: "invoice.payment_failed", object: toInvoice(invoice) } : paid(invoice),
  ];
}

/** Pays what is open, after which the subscription is as good as before. */
export function payOpen(books: Books, subscription: Subscription, now: number): Happening[] {
  const open = openInvoicesOf(books, subscription);
  if (open.length === 0 || subscription.status !== "past_due") return [];
  for (const invoice of open) settle(books, invoice, now);
  subscription.status = "active";
  return [ofSubscription("updated", books, subscription), ...open.map(paid)];
}

export function setCancelAtPeriodEnd(books: Books, subscription: Subscription, cancels: boolean): Happening[] {
  if (subscription.status === "canceled" || subscription.cancelAtPeriodEnd === cancels) return [];
  subscription.cancelAtPeriodEnd = cancels;
  return [ofSubscription("updated", books, subscription)];
}

export function cancelNow(books: Books, subscription: Subscription): Happening[] {
  if (subscription.status === "canceled") return [];
  subscription.status = "canceled";
  for (const invoice of openInvoicesOf(books, subscription)) invoice.status = "void";
  return [ofSubscription("deleted", books, subscription)];
}

const openInvoicesOf = (books: Books, subscription: Subscription): Invoice[] =>
  books.invoices.filter(({ subscriptionId, status }) => subscriptionId === subscription.id && status === "open");

export const balanceOf = (books: Books, { customerId }: Pick<Subscription, "customerId">): number =>
  books.balances.get(customerId) ?? 0;

function addInvoice(
  books: Books,
  subscription: Subscription,
  reason: Invoice["reason"],
  total: number,
  now: number,
): Invoice {
  const balance = balanceOf(books, subscription);
  const invoice: Invoice = {
    id: newStripeId("in"),
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
  books.invoices.push(invoice);
  return invoice;
}

/** Credit pays first; what is owed to the customer becomes credit. */
function settle(books: Books, invoice: Invoice, now: number): void {
  invoice.startingBalance = balanceOf(books, invoice);
  invoice.endingBalance = Math.min(0, invoice.startingBalance + invoice.total);
  books.balances.set(invoice.customerId, invoice.endingBalance);
  invoice.status = "paid";
  invoice.paidAt = now;
}

/** Cents that were, or will be, taken from the card. */
export const dueOf = ({ total, startingBalance }: Invoice): number => Math.max(0, total + startingBalance);

const paid = (invoice: Invoice): Happening => ({ type: "invoice.paid", object: toInvoice(invoice) });

const ofSubscription = (
  change: "created" | "updated" | "deleted",
  books: Books,
  subscription: Subscription,
): Happening => ({ type: `customer.subscription.${change}`, object: toSubscription(books, subscription) });

export const toPrice = (plan: PaidPlan): object => ({
  id: priceIdOf(plan),
  object: "price",
  active: true,
  lookup_key: lookupKeys[plan],
  currency: "usd",
  unit_amount: centsOf(plan),
  product: `prod_dev_${plan}`,
  recurring: { interval: "month", interval_count: 1 },
});

export function toSubscription(books: Books, one: Subscription, isExpanded = false): object {
  const latest = books.invoices.findLast(({ subscriptionId }) => subscriptionId === one.id);
  const item = { id: one.id.replace("sub_", "si_"), price: toPrice(one.plan), current_period_end: one.periodEnd };
  return {
    id: one.id,
    object: "subscription",
    customer: one.customerId,
    status: one.status,
    created: one.created,
    metadata: { account_id: one.accountId },
    cancel_at: one.cancelAtPeriodEnd ? one.periodEnd : null,
    cancel_at_period_end: one.cancelAtPeriodEnd,
    latest_invoice: (isExpanded && latest && toInvoice(latest)) || (latest?.id ?? null),
    items: { object: "list", data: [item] },
  };
}

export const toInvoice = (one: Invoice): object => ({
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
