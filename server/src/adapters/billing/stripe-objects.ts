import { plans, ServiceError } from "@reelscript/contract";
import Stripe from "stripe";
import { subscriptionStatuses, type Payment, type SubscriptionStatus } from "../../ports/billing.ts";

/** Statuses are an open list; an unknown one must not silently grant or remove a plan. */
export function statusOf({ id, status }: Stripe.Subscription): SubscriptionStatus {
  const knownStatus = subscriptionStatuses.find((one) => one === status);
  if (knownStatus === undefined) throw new Error(`The subscription ${id} has the unknown status ${status}`);
  return knownStatus;
}

export const idOf = (one: string | { readonly id: string } | null | undefined): string | null =>
  typeof one === "string" ? one : (one?.id ?? null);

export const momentOf = (seconds: number): Date => new Date(seconds * 1_000);

/** A paid invoice of a subscription; `undefined` for any other. */
export function paymentOf(invoice: Stripe.Invoice): Payment | undefined {
  const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription);
  if (invoice.status !== "paid" || subscriptionId === null) return undefined;
  return {
    invoiceId: invoice.id,
    subscriptionId,
    cents: paidCentsOf(invoice),
    paidAt: momentOf(invoice.status_transitions.paid_at ?? invoice.created),
    periodEnd: momentOf(Math.max(...invoice.lines.data.map(({ period }) => period.end), invoice.period_end)),
  };
}

/** The lowest price of an upgrade, in cents: the difference of both plans' prices. */
const stepCents = (plans.creator.dollarsPerMonth - plans.hobby.dollarsPerMonth) * 100;

/**
 * Cents that were really paid. A downgrade's leftover credit pays for a month like money, but never for a change of plan:
 * otherwise downgrading and upgrading would begin a new period for nothing, or for the cents that the credit lacks. Invoices
 * that an operator writes by hand don't pay for a plan.
 */
function paidCentsOf(invoice: Stripe.Invoice): number {
  const { amount_paid, billing_reason, starting_balance, ending_balance } = invoice;
  if (billing_reason === "manual") return 0;
  const month = billing_reason === "subscription_cycle" || billing_reason === "subscription_create";
  const credit = ending_balance === null ? 0 : Math.max(0, Math.min(ending_balance, 0) - starting_balance);
  if (month) return amount_paid + credit;
  return credit > 0 && amount_paid < stepCents ? 0 : amount_paid;
}

/** `undefined` if the object doesn't exist. */
export async function existing<Result>(request: Promise<Result>): Promise<Result | undefined> {
  return request.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return undefined;
    throw error;
  });
}

/** `undefined` if it is refused because of one of these parameters. */
export async function unlessAbout<Result>(parameters: object, request: Promise<Result>): Promise<Result | undefined> {
  return request.catch((error: unknown) => {
    const { StripeInvalidRequestError } = Stripe.errors;
    if (error instanceof StripeInvalidRequestError && Object.hasOwn(parameters, error.param ?? "")) return undefined;
    throw error;
  });
}

/** The caller hears of temporary trouble; a wrong setting is our own fault. */
export async function answered<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
    const passing = [StripeAPIError, StripeConnectionError, StripeRateLimitError];
    if (!passing.some((kind) => error instanceof kind)) throw error;
    throw new ServiceError(
      "upstreamError",
      "The payment provider isn't responding. Nothing was changed. Try again in a minute.",
      { reason: "paymentProviderUnreachable", cause: error },
    );
  }
}
