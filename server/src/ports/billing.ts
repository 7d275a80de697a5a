import type { PlanName } from "@reelscript/contract";

interface Subscription {
  readonly id: string;
  readonly accountId: string;
  readonly plan: PaidPlan;
  readonly status: SubscriptionStatus;
  readonly createdAt: Date;
  readonly periodEnd: Date;
  /** When it ends by itself, if it was canceled. */
  readonly cancelsAt: Date | null;
}

/** A subscription as it was last read from the biller. */
export interface StoredSubscription extends Subscription {
  /** `null` when the biller no longer has the subscription. */
  readonly customerId: string | null;
}

/** Stores subscriptions and payments. Only this port changes an account's plan and paid period. */
export interface Billing {
  /** True when the event's effect is stored. */
  knows(eventId: string): Promise<boolean>;
  /** Returns the last stored reading, and how many readings were stored (`version`). */
  find(
    subscriptionId: string,
  ): Promise<{ readonly subscription: StoredSubscription; readonly version: number } | undefined>;
  /**
   * Stores an event with its effect, all or nothing: the subscription as it was read while `version` held, and its
   * payments, each of which counts once whatever the events. `"stale"`, and nothing is written, when another reading was
   * stored since; `"known"` for an event that is stored; `"removed"` when the account was deleted, `"noAccount"` when
   * it was never here.
   */
  record(reading: {
    readonly event: { readonly id: string } | null;
    readonly subscription: StoredSubscription & { readonly lastPayment: Payment | null };
    readonly payment: Payment | null;
    readonly version: number;
    readonly now: Date;
  }): Promise<"recorded" | "known" | "stale" | "removed" | "noAccount">;
  /** Stores an event that has no effect. */
  ignore(event: { readonly id: string }, now: Date): Promise<void>;
  /** Newest first. */
  list(accountId: string): Promise<StoredSubscription[]>;
  /**
   * Subscriptions that were not over when they were last read, and whose period has ended since. Each is given to one
   * asker, and to the next one an hour later. At most 20.
   */
  takeOverdue(now: Date): Promise<{ readonly id: string; readonly accountId: string }[]>;
}

export type PaidPlan = Exclude<PlanName, "free">;

export const subscriptionStatuses = [
  "incomplete",
  "incomplete_expired",
  "trialing",
  "active",
  "past_due",
  "canceled",
  "unpaid",
  "paused",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A subscription of ours as the biller has it now. */
export interface BilledSubscription extends Subscription {
  readonly customerId: string;
  /** The payment of its latest invoice; `null` while that is unpaid. */
  readonly lastPayment: Payment | null;
}

/** A paid invoice of a subscription. */
export interface Payment {
  readonly invoiceId: string;
  readonly subscriptionId: string;
  /** US cents paid, including earlier credit that pays for a new month; 0 for trials, gifts and plan changes on credit. */
  readonly cents: number;
  readonly paidAt: Date;
  readonly periodEnd: Date;
}

/** Events come late and in any order, so they only say what to read again; their contents aren't trusted. */
export interface BillingEvent {
  readonly id: string;
  readonly type: string;
  readonly subscriptionId: string | null;
  /** The id of a paid invoice; `null` for other events. */
  readonly invoiceId: string | null;
}

/** A new subscription that a person is to pay for. */
export interface WantedCheckout {
  readonly accountId: string;
  readonly email: string;
  /** `null` for people who never paid before. */
  readonly customerId: string | null;
  readonly plan: PaidPlan;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface PlanChange {
  readonly subscriptionId: string;
  readonly plan: PaidPlan;
}

/**
 * Takes the money. Implementations: Stripe, and the local biller, to which nobody pays anything. A biller that does not
 * answer is a `ServiceError` `upstreamError`; one that is set up wrongly is an `Error` for the operator.
 */
export interface Biller {
  /** Reads what was posted to the webhook. `undefined` when its signature is wrong or older than five minutes. */
  readEvent(body: Uint8Array, signature: string): BillingEvent | undefined;
  /** The address of a page on which the person pays for a new subscription. */
  startCheckout(checkout: WantedCheckout): Promise<string>;
  /** The address of the customer's portal, or of its page that confirms the change of a subscription to another plan. */
  openPortal(portal: {
    readonly customerId: string;
    readonly returnUrl: string;
    readonly change?: PlanChange | undefined;
  }): Promise<string>;
  /** `undefined` when there is none, or it is not of this service. */
  readSubscription(subscriptionId: string): Promise<BilledSubscription | undefined>;
  /** `undefined` when the invoice is not paid, or is of no subscription. */
  readPayment(invoiceId: string): Promise<Payment | undefined>;
  /** Ends a subscription at once; one that is ended already, or that there is not, stays so. */
  cancel(subscriptionId: string): Promise<void>;
}

/** A page of the local biller, or where to go on. */
export type LocalPage =
  | { readonly html: string; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly location: string };

/** The page that the local biller shows in place of a real biller's. */
export interface LocalCheckout {
  /** Names the receiver of its events, which gets what a real biller would post to the webhook. */
  onEvent(receive: (body: Uint8Array, signature: string) => Promise<void>): void;
  show(id: string): LocalPage;
  /** Does what a button of the page says; returns when the service has taken the event. */
  act(id: string, action: "pay" | "cancel"): Promise<LocalPage>;
}
