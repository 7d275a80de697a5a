import { ServiceError } from "@reelscript/contract";
import type { Payment, Billing, Biller, Clock } from "../../ports.ts";
import { isLive, isOver } from "../../rules/subscription-rules.ts";

/** The reason for the refresh: an event, whose effect is stored once, and its payment. */
interface Reason {
  readonly event: { readonly id: string; readonly type: string } | null;
  readonly payment: Payment | null;
}

export type RefreshSubscription = (subscriptionId: string, reason?: Reason) => Promise<void>;

const tries = 20;
const lost = { status: "canceled", customerId: null, lastPayment: null } as const;

interface RefreshNeeds {
  readonly billing: Billing;
  readonly biller: Biller;
  readonly clock: Clock;
  /** Receives errors with outside causes, such as an unavailable storage. */
  readonly onNotice: (error: unknown, where: string) => void;
}

/**
 * Brings an account into agreement with a subscription as the biller has it now, whatever events came before and in which
 * order. Throws `ServiceError` `upstreamError` when the biller does not answer.
 */
export function createRefreshSubscription({ billing, biller, clock, onNotice }: RefreshNeeds): RefreshSubscription {
  const under = new Map<string, Promise<void>>();

  async function read(subscriptionId: string, { event, payment }: Reason): Promise<void> {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      if (event && (await billing.knows(event.id))) return;
      const storedSubscription = await billing.find(subscriptionId);
      const billed = await biller.readSubscription(subscriptionId);
      if (billed === undefined)
        onNotice(new Error(`The biller has no subscription ${subscriptionId} of this service`), "billing");
      // The biller has no such subscription, as after a change of the Stripe account, so nobody pays for it.
      const subscription = billed ?? (storedSubscription && { ...storedSubscription.subscription, ...lost });
      if (subscription === undefined) {
        if (event) await billing.ignore(event, clock.now());
        return;
      }
      const outcome = await billing.record({
        event,
        subscription,
        payment,
        version: storedSubscription?.version ?? 0,
        now: clock.now(),
      });
      if (outcome === "removed" || outcome === "noAccount") {
        // Only what is known to be ours is ended: another service may share the biller, and backups know no newer accounts.
        const ours = outcome === "removed";
        const what = ours ? "was deleted; it is ended" : "was never here; nothing is done";
        onNotice(new Error(`The account of the subscription ${subscriptionId} ${what}`), "billing");
        if (ours && isLive(subscription)) await biller.cancel(subscriptionId);
        if (event) await billing.ignore(event, clock.now());
      }
      if (outcome === "recorded") await endOlder(subscription.accountId);
      if (outcome !== "stale") return;
    }
    throw new ServiceError("unavailable", "The subscription is changing. Try again shortly.", { retryAfter: 5 });
  }

  /** Ends all live subscriptions but the newest, so that someone who paid on two pages pays once from then on. */
  async function endOlder(accountId: string): Promise<void> {
    const [, ...older] = (await billing.list(accountId)).filter(isLive);
    for (const { id } of older) {
      onNotice(new Error(`${accountId} paid for two subscriptions; the older one, ${id}, is ended`), "billing");
      await biller.cancel(id);
    }
  }

  return async (subscriptionId, reason = { event: null, payment: null }) => {
    // One after the other, so that simultaneous events don't make one another's readings stale.
    const before = under.get(subscriptionId) ?? Promise.resolve();
    const reading = before.then(async () => read(subscriptionId, reason));
    const ended = reading.then(
      () => undefined,
      () => undefined,
    );
    under.set(subscriptionId, ended);
    try {
      await reading;
    } finally {
      if (under.get(subscriptionId) === ended) under.delete(subscriptionId);
    }
  };
}

interface EventNeeds extends RefreshNeeds {
  readonly refreshSubscription: RefreshSubscription;
}

/** Takes what was posted to the webhook; returns when its effect is stored, and throws `invalidRequest` for a forgery. */
export const receiveEvent =
  ({ billing, biller, refreshSubscription, clock, onNotice }: EventNeeds) =>
  async (body: Uint8Array, signature: string): Promise<void> => {
    const event = biller.readEvent(body, signature);
    if (event === undefined)
      throw new ServiceError("invalidRequest", "The signature is missing, wrong or more than five minutes old.");
    if (await billing.knows(event.id)) return;
    const payment = (event.invoiceId !== null && (await biller.readPayment(event.invoiceId))) || null;
    const subscriptionId = event.subscriptionId ?? payment?.subscriptionId;
    if (subscriptionId !== undefined) return refreshSubscription(subscriptionId, { event, payment });
    if (event.type === "invoice.payment_failed") onNotice(new Error("A payment failed"), event.id);
    return billing.ignore(event, clock.now());
  };

interface EndNeeds {
  readonly billing: Billing;
  readonly biller: Biller;
}

/** Ends the account's subscriptions immediately. Throws `upstreamError` when the biller does not answer. */
export const endSubscription =
  ({ billing, biller }: EndNeeds) =>
  async (accountId: string): Promise<void> => {
    for (const subscription of await billing.list(accountId))
      if (!isOver(subscription)) await biller.cancel(subscription.id);
  };
