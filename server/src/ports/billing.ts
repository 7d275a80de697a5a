import type { PlanName } from "@reelscript/contract";

interface Subscription {
  readonly id: string;
  readonly accountId: string;
  readonly plan: PaidPlan;
  readonly status: SubscriptionStatus;
  readonly createdAt: Date;
  readonly periodEnd: Date;
  /** When it ends automatically, if it was canceled. */
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
   * Stores an event with its effect, all or nothing: the subscription as it was read at `version`, and its payments, each of
   * which counts once whatever the events. `"stale"`, and nothing is written, if another reading was stored since; `"known"` if
   * the event is already stored; `"removed"` if the account was deleted, `"noAccount"` if it never existed here.
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
   * Subscriptions that were not over when they were last read, and whose period has ended since. Each is returned to one
   * caller, and to the next one an hour later. At most 20.
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

/** A subscription of ours in its current state at the biller. */
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

/** Events come late and in any order, so they only say which subscription to read again; their contents aren't trusted. */
export interface BillingEvent {
  readonly id: string;
  readonly type: string;
  readonly subscriptionId: string | null;
  /** The id of a paid invoice; `null` for other events. */
  readonly invoiceId: string | null;
}

/** A new subscription for a person to pay for. */
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
 * Takes payments. Implementations: Stripe, the local biller, where no money moves, and one that sells nothing. A biller that doesn't answer is a
 * `ServiceError` `upstreamError`; one that is set up wrongly is an `Error` for the operator.
 */
export interface Biller {
  /** False if only the operator sets plans. Then checkout and portal throw `invalidRequest`. */
  readonly sells: boolean;
  /** Reads a webhook request. `undefined` if its signature is wrong or older than five minutes. */
  readEvent(body: Uint8Array, signature: string): BillingEvent | undefined;
  /** The address of a page where the person pays for a new subscription. */
  startCheckout(checkout: WantedCheckout): Promise<string>;
  /** The address of the customer's portal, or of its page that confirms the change of a subscription to another plan. */
  openPortal(portal: {
    readonly customerId: string;
    readonly returnUrl: string;
    readonly change?: PlanChange | undefined;
  }): Promise<string>;
  /** `undefined` if there is none, or if it doesn't belong to this service. */
  readSubscription(subscriptionId: string): Promise<BilledSubscription | undefined>;
  /** `undefined` if the invoice is not paid, or belongs to no subscription. */
  readPayment(invoiceId: string): Promise<Payment | undefined>;
  /** Ends a subscription immediately; does nothing if it has already ended or doesn't exist. */
  cancel(subscriptionId: string): Promise<void>;
}

/** A page of the local biller, or the address of the next one. */
export type LocalPage =
  | { readonly html: string; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly location: string };

/** The page that the local biller shows in place of a real biller's. */
export interface LocalCheckout {
  /** Sets the receiver of its events, which gets the same requests as from a real biller's webhook. */
  onEvent(receive: (body: Uint8Array, signature: string) => Promise<void>): void;
  show(id: string): LocalPage;
  /** Does what a button of the page says; returns when the service has taken the event. */
  act(id: string, action: "pay" | "cancel"): Promise<LocalPage>;
}
