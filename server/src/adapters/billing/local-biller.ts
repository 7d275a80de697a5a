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
  /** When the subscription ended; unset while it lives. */
  cancelsAt: z.coerce.date().nullable(),
  lastPayment: z.object({
    invoiceId: z.string(),
    cents: z.int(),
    paidAt: z.coerce.date(),
    periodEnd: z.coerce.date(),
  }),
});
type Subscription = z.infer<typeof Subscription>;

/** A page where an account may pay for a plan. A restart forgets it. */
interface Checkout {
  readonly accountId: string;
  readonly plan: PaidPlan;
  /** The dashboard's pages after paying and after going back. */
  readonly paidUrl: string;
  readonly backUrl: string;
}

/** The oldest page is dropped. */
const mostPages = 1_000;

/**
 * Replaces Stripe on a development machine: anybody may pay and cancel, and no money moves. Subscriptions are kept in `file`,
 * because the accounts' plans survive a restart too. A customer's id is the account's.
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
  const books = openBooks(file, clock);
  const checkouts = new Map<string, Checkout>();
  const signature = newId("sig");
  let receive: Parameters<LocalCheckout["onEvent"]>[0] = async () => undefined;

  /** Resolves when the service has accepted the event. */
  async function sendEvent({ id }: Subscription): Promise<void> {
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

  return {
    sells: true,

    readEvent(body, given) {
      const sentSignature = Buffer.from(given);
      const isOurs =
        sentSignature.length === signature.length && timingSafeEqual(sentSignature, Buffer.from(signature));
      return isOurs ? (JSON.parse(Buffer.from(body).toString()) as BillingEvent) : undefined; // safe: only we can sign
    },
    startCheckout: async ({ accountId, plan, successUrl, cancelUrl }) =>
      open({ accountId, plan, paidUrl: successUrl, backUrl: cancelUrl }),
    async openPortal({ customerId, returnUrl, change }) {
      const live = books.liveOf(customerId);
      const plan = change?.plan ?? live?.plan;
      if (plan !== undefined) return open({ accountId: customerId, plan, paidUrl: returnUrl, backUrl: returnUrl });
      throw new ServiceError("notFound", "There is no subscription to manage. Choose a plan to start again.");
    },
    readSubscription: async (id) => books.read((one) => one.id === id),
    readPayment: async (id) => books.read(({ lastPayment }) => lastPayment.invoiceId === id)?.lastPayment ?? undefined,
    async cancel(id) {
      const subscription = books.end(id);
      // The service may be handling an earlier event of this subscription.
      if (subscription)
        void sendEvent(subscription).catch((error: unknown) => onFault(error, "the local biller's event"));
    },
    onEvent(receiver) {
      receive = receiver;
    },
    show(id) {
      const checkout = checkouts.get(id);
      if (!checkout) return lostPage();
      const { accountId, plan, backUrl } = checkout;
      return checkoutPage({ path: pathOf(id), plan, backUrl, subscription: books.liveOf(accountId) });
    },
    async act(id, action) {
      const checkout = checkouts.get(id);
      if (!checkout) return lostPage();
      const { accountId, plan, paidUrl, backUrl } = checkout;
      if (action === "pay") {
        // A page can be paid only once, so going back to it must not pay again.
        checkouts.delete(id);
        await sendEvent(books.pay(accountId, plan));
        return { location: paidUrl };
      }
      const canceled = books.cancel(accountId);
      if (canceled) await sendEvent(canceled);
      return { location: books.liveOf(accountId) ? pathOf(id) : backUrl };
    },
  };
}

/** The subscriptions in the file. An account has at most one that isn't over. */
function openBooks(file: string, clock: Clock) {
  const subscriptions = readSubscriptions(file);
  const isOver = ({ cancelsAt }: Subscription): boolean => cancelsAt !== null && cancelsAt <= clock.now();
  const liveOf = (accountId: string): Subscription | undefined =>
    subscriptions.find((one) => one.accountId === accountId && !isOver(one));
  return {
    liveOf,
    read(isIt: (one: Subscription) => boolean): BilledSubscription | undefined {
      const subscription = subscriptions.find(isIt);
      return subscription && billedOf(subscription, isOver(subscription));
    },
    /** Starts a subscription, or a new month of the current one on this plan. */
    pay(accountId: string, plan: PaidPlan): Subscription {
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
      saveSubscriptions(file, subscriptions);
      return subscription;
    },
    /** Cancels the account's subscription at the end of its period, or immediately if it was already canceled. */
    cancel(accountId: string): Subscription | undefined {
      const live = liveOf(accountId);
      if (!live) return undefined;
      live.cancelsAt = live.cancelsAt === null ? live.lastPayment.periodEnd : clock.now();
      saveSubscriptions(file, subscriptions);
      return live;
    },
    /** Ends a subscription; `undefined` if it is already over or doesn't exist. */
    end(id: string): Subscription | undefined {
      const subscription = subscriptions.find((one) => one.id === id && !isOver(one));
      if (!subscription) return undefined;
      subscription.cancelsAt = clock.now();
      saveSubscriptions(file, subscriptions);
      return subscription;
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
