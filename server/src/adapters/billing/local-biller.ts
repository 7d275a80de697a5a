import { randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { plans, ServiceError } from "@reelscript/contract";
import * as z from "zod";
import type { BilledSubscription, Biller, BillingEvent, Clock, LocalCheckout, PaidPlan } from "../../ports.ts";
import { periodAt } from "../../rules/allowance.ts";
import { checkoutPage, lostPage } from "./local-checkout-page.ts";

export type LocalBiller = Biller & LocalCheckout;

const Subscription = z.object({
  id: z.string(),
  accountId: z.string(),
  plan: z.enum(["hobby", "creator"]),
  createdAt: z.coerce.date(),
  /** It is over then. */
  cancelsAt: z.coerce.date().nullable(),
  lastPayment: z.object({
    invoiceId: z.string(),
    cents: z.int(),
    paidAt: z.coerce.date(),
    periodEnd: z.coerce.date(),
  }),
});
type Subscription = z.infer<typeof Subscription>;

/** A page on which an account may pay for a plan. It is gone after a restart. */
interface Checkout {
  readonly accountId: string;
  readonly plan: PaidPlan;
  /** Where somebody goes who paid, and who went back. */
  readonly paidUrl: string;
  readonly backUrl: string;
}

/** The oldest page gives way. */
const mostPages = 1_000;

/**
 * Takes Stripe's place on the machine of somebody who tries the service out: anybody may pay and cancel, and no money moves.
 * Its subscriptions are in `file`, because the accounts' plans outlive a restart too. A customer's id is the account's.
 */
export function createLocalBiller({
  file,
  clock,
  onFault,
}: {
  readonly file: string;
  readonly clock: Clock;
  readonly onFault: (error: unknown, where: string) => void;
}): LocalBiller {
  const subscriptions = readSubscriptions(file);
  const checkouts = new Map<string, Checkout>();
  const signature = newId("sig");
  let receive: Parameters<LocalCheckout["onEvent"]>[0] = async () => undefined;

  const find = (subscriptionId: string): Subscription | undefined =>
    subscriptions.find(({ id }) => id === subscriptionId);
  const isOver = ({ cancelsAt }: Subscription): boolean => cancelsAt !== null && cancelsAt <= clock.now();
  const liveOf = (accountId: string): Subscription | undefined =>
    subscriptions.find((one) => one.accountId === accountId && !isOver(one));

  /** Returns when the service has taken the event. */
  async function sendEvent({ id }: Subscription): Promise<void> {
    saveSubscriptions(file, subscriptions);
    const event: BillingEvent = { id: newId("evt"), type: "subscription", subscriptionId: id, invoiceId: null };
    await receive(Buffer.from(JSON.stringify(event)), signature);
  }

  function open(checkout: Checkout): string {
    const id = newId("pay");
    checkouts.set(id, checkout);
    const [oldest] = checkouts.keys();
    if (checkouts.size > mostPages) checkouts.delete(oldest!);
    return new URL(pathOf(id), checkout.backUrl).href;
  }

  /** Begins a subscription, or a new month of the present one at this page's plan. */
  async function pay({ accountId, plan }: Checkout): Promise<void> {
    const now = clock.now();
    const lastPayment = {
      invoiceId: newId("in"),
      cents: plans[plan].dollarsPerMonth * 100,
      paidAt: now,
      periodEnd: periodAt(now, now).end,
    };
    const live = liveOf(accountId);
    const subscription = live ?? { id: newId("sub"), accountId, plan, createdAt: now, cancelsAt: null, lastPayment };
    if (!live) subscriptions.push(subscription);
    subscription.plan = plan;
    subscription.lastPayment = lastPayment;
    subscription.cancelsAt = null;
    await sendEvent(subscription);
  }

  /** Cancels to the end of the period, and immediately when that was done before. */
  async function cancel(subscription: Subscription): Promise<void> {
    subscription.cancelsAt = subscription.cancelsAt === null ? subscription.lastPayment.periodEnd : clock.now();
    await sendEvent(subscription);
  }

  return {
    readEvent(body, given) {
      const sent = Buffer.from(given);
      const isOurs = sent.length === signature.length && timingSafeEqual(sent, Buffer.from(signature));
      return isOurs ? (JSON.parse(Buffer.from(body).toString()) as BillingEvent) : undefined; // safe: only we can sign
    },
    startCheckout: async ({ accountId, plan, successUrl, cancelUrl }) =>
      open({ accountId, plan, paidUrl: successUrl, backUrl: cancelUrl }),
    async openPortal({ customerId, returnUrl, change }) {
      const live = liveOf(customerId);
      const plan = change?.plan ?? live?.plan;
      if (plan !== undefined) return open({ accountId: customerId, plan, paidUrl: returnUrl, backUrl: returnUrl });
      throw new ServiceError("notFound", "There is no subscription to manage. Choose a plan to start again.");
    },
    async readSubscription(id) {
      const subscription = find(id);
      return subscription && billedOf(subscription, isOver(subscription));
    },
    async readPayment(id) {
      const subscription = subscriptions.find(({ lastPayment }) => lastPayment.invoiceId === id);
      return (subscription && billedOf(subscription, isOver(subscription)).lastPayment) ?? undefined;
    },
    async cancel(id) {
      const subscription = find(id);
      if (subscription === undefined || isOver(subscription)) return;
      subscription.cancelsAt = clock.now();
      // The service may be in the middle of something about this subscription.
      void sendEvent(subscription).catch((error: unknown) => onFault(error, "the local biller"));
    },
    onEvent(receiver) {
      receive = receiver;
    },
    show(id) {
      const checkout = checkouts.get(id);
      if (!checkout) return lostPage();
      const { accountId, plan, backUrl } = checkout;
      return checkoutPage({ path: pathOf(id), plan, backUrl, subscription: liveOf(accountId) });
    },
    async act(id, action) {
      const checkout = checkouts.get(id);
      if (!checkout) return lostPage();
      const live = liveOf(checkout.accountId);
      if (action === "pay") {
        // A page is paid once: going back to it must not pay again.
        checkouts.delete(id);
        await pay(checkout);
        return { location: checkout.paidUrl };
      }
      if (live) await cancel(live);
      return { location: liveOf(checkout.accountId) ? pathOf(id) : checkout.backUrl };
    },
  };
}

const pathOf = (id: string): string => `/local-checkout/${id}`;

/** Nobody can guess the id: anyone with the address of a page may use it. */
const newId = (prefix: string): string => `${prefix}_local${randomBytes(16).toString("hex")}`;

const billedOf = (
  { id, accountId, plan, createdAt, cancelsAt, lastPayment }: Subscription,
  isOver: boolean,
): BilledSubscription => ({
  id,
  accountId,
  customerId: accountId,
  plan,
  status: isOver ? "canceled" : "active",
  createdAt,
  periodEnd: lastPayment.periodEnd,
  cancelsAt,
  lastPayment: { ...lastPayment, subscriptionId: id },
});

function readSubscriptions(file: string): Subscription[] {
  try {
    return z.array(Subscription).parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`${file}, with the local biller's subscriptions, cannot be read; remove it to start over`, {
      cause: error,
    });
  }
}

function saveSubscriptions(file: string, subscriptions: readonly Subscription[]): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const fresh = `${file}.new`;
  writeFileSync(fresh, JSON.stringify(subscriptions), { mode: 0o600 });
  renameSync(fresh, file);
}
