import { randomBytes } from "node:crypto";
import Stripe from "stripe";
import type { Clock, DevelopmentBillerPages, DevelopmentPage } from "../../../ports.ts";
import { createDevelopmentApi } from "./api.ts";
import {
  cancelNow,
  changePlan,
  endPeriod,
  payCheckout,
  payOpen,
  setCancelAtPeriodEnd,
  type Happening,
} from "./bookkeeping.ts";
import { openLedger, type DevelopmentPortal, type DevelopmentSubscription, type Ledger } from "./ledger.ts";
import { confirmPage, declined, lostPage, pageHeaders, payPage, portalPage } from "./pages.ts";
import { toCheckout, toInvoice, toSubscription } from "./stripe-shapes.ts";
import { setTimeout as sleep } from "node:timers/promises";

export interface DevelopmentBiller extends DevelopmentBillerPages {
  /** Answers Stripe's client. */
  readonly fetch: typeof globalThis.fetch;
  readonly secretKey: string;
  /** Signs the events of this run. */
  readonly webhookSecret: string;
}

/** Stands in for Stripe: the part of its interface that is used here, its pages, and events as unreliable as its own. */
export function createDevelopmentBiller(needs: {
  /** Where its books are kept. */
  readonly file: string;
  readonly clock: Clock;
  readonly onFault: (error: unknown, where: string) => void;
  /** What comes of the order of events, and which come twice. */
  readonly disorder?: typeof disorder;
}): DevelopmentBiller {
  const { file, clock, onFault } = needs;
  const { ledger, save } = openLedger(file);
  const secretKey = "sk_test_development";
  const webhookSecret = `whsec_${randomBytes(24).toString("hex")}`;
  const stripe = new Stripe(secretKey, { telemetry: false });
  const seconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  let origin = "";

  async function tell(happenings: readonly Happening[]): Promise<void> {
    save();
    const events = happenings.map(({ type, id }) => ({ type, object: objectOf(ledger, { type, id }, origin) }));
    await deliverEvents(events, {
      url: `${origin}/webhooks/stripe`,
      stripe,
      secret: webhookSecret,
      created: seconds(),
      disorder: needs.disorder ?? disorder,
    });
  }

  /** What came of an action on the portal, which says so when the card was declined. */
  async function settle(portal: DevelopmentPortal, happened: readonly Happening[] | "declined"): Promise<void> {
    portal.notice = happened === "declined" ? declined : null;
    await tell(happened === "declined" ? [] : happened);
  }

  async function pay(id: string, action: string): Promise<DevelopmentPage> {
    const checkout = own(ledger.checkouts, id);
    if (checkout?.subscriptionId === null && action === "decline") {
      checkout.declined = true;
      save();
    }
    if (checkout?.subscriptionId === null && action === "pay") {
      await tell(payCheckout(ledger, checkout, seconds()));
      return { location: checkout.successUrl };
    }
    return { location: pathOf("pay", id) };
  }

  async function manage(id: string, action: string): Promise<DevelopmentPage> {
    const portal = own(ledger.portals, id);
    if (portal === undefined) return lost();
    if (action === "confirm") {
      const subscription = portal.change && own(ledger.subscriptions, portal.change.subscriptionId);
      if (portal.change && subscription)
        await settle(portal, changePlan(ledger, subscription, portal.change.plan, seconds()));
      return { location: portal.notice === null ? portal.returnUrl : pathOf("portal", id) };
    }
    const [subscriptionId = "", what = ""] = action.split("/");
    const subscription = own(ledger.subscriptions, subscriptionId);
    if (subscription?.customerId === portal.customerId)
      await settle(portal, happen(ledger, subscription, what, seconds()));
    return { location: pathOf("portal", id) };
  }

  return {
    fetch: createDevelopmentApi({
      ledger,
      save,
      origin: () => origin,
      tell: (happenings) =>
        void tell(happenings).catch((error: unknown) => onFault(error, "the development biller's events")),
    }),
    secretKey,
    webhookSecret,
    open(url) {
      origin = url;
    },
    show(kind, id) {
      const checkout = kind === "pay" ? own(ledger.checkouts, id) : undefined;
      if (checkout) return shown(payPage(checkout, pathOf("pay", id)));
      const portal = kind === "portal" ? own(ledger.portals, id) : undefined;
      return portal ? shown(showPortal(ledger, portal, seconds())) : lost();
    },
    act: async (kind, id, action) => (kind === "pay" ? pay(id, action) : manage(id, action)),
  };
}

const pathOf = (kind: "pay" | "portal", id: string): string => `/dev-billing/${kind}/${id}`;

function objectOf(ledger: Ledger, { type, id }: Happening, origin: string): unknown {
  if (type.startsWith("customer.")) return toSubscription(ledger, ledger.subscriptions[id]!); // safe: it happened to one that there is
  if (type.startsWith("checkout.")) return toCheckout(ledger.checkouts[id]!, origin + pathOf("pay", id)); // safe: as above
  return toInvoice(ledger.invoices.find((invoice) => invoice.id === id)!); // safe: as above
}

function showPortal(ledger: Ledger, portal: DevelopmentPortal, now: number): string {
  const path = pathOf("portal", portal.id);
  const changing = portal.change && own(ledger.subscriptions, portal.change.subscriptionId);
  if (changing) return confirmPage(ledger, changing, portal, path, now);
  const theirs = Object.values(ledger.subscriptions).filter(({ customerId }) => customerId === portal.customerId);
  return portalPage(ledger, theirs.toReversed(), portal, path);
}

function happen(
  ledger: Ledger,
  subscription: DevelopmentSubscription,
  action: string,
  now: number,
): Happening[] | "declined" {
  switch (action) {
    case "hobby":
    case "creator":
      return changePlan(ledger, subscription, action, now);
    case "cancel":
      return setCancelAtPeriodEnd(subscription, true);
    case "resume":
      return setCancelAtPeriodEnd(subscription, false);
    case "cancel-now":
      return cancelNow(ledger, subscription);
    case "renew":
      return endPeriod(ledger, subscription, now);
    case "pay-open":
      return payOpen(ledger, subscription, now);
    case "fail-next":
      subscription.failsNext = true;
      return [];
    default:
      return [];
  }
}

const own = <Value>(record: Readonly<Record<string, Value>>, id: string): Value | undefined =>
  Object.hasOwn(record, id) ? record[id] : undefined;

const shown = (html: string, status = 200): DevelopmentPage => ({ html, status, headers: pageHeaders });

const lost = (): DevelopmentPage => shown(lostPage(), 404);

interface ToldEvent {
  readonly type: string;
  readonly object: unknown;
}

/** As unreliable as the real thing: in any order, and now and then one twice. */
function disorder<Event>(events: readonly Event[]): Event[] {
  const some = events.flatMap((event) => (Math.random() < 0.2 ? [event, event] : [event]));
  return some
    .map((event) => ({ event, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ event }) => event);
}

const tries = 5;

/** Posts signed events to our own webhook, several at a time, each until it is taken. Throws when one never is. */
async function deliverEvents(
  events: readonly ToldEvent[],
  to: {
    readonly url: string;
    readonly stripe: Stripe;
    readonly secret: string;
    readonly created: number;
    readonly disorder: typeof disorder;
  },
): Promise<void> {
  const signed = events.map(({ type, object }) =>
    JSON.stringify({
      id: `evt_dev${randomBytes(16).toString("hex")}`,
      object: "event",
      api_version: Stripe.API_VERSION,
      created: to.created,
      type,
      data: { object },
    }),
  );
  await Promise.all(to.disorder(signed).map(async (payload) => deliver(payload, to)));
}

async function deliver(
  payload: string,
  { url, stripe, secret }: { readonly url: string; readonly stripe: Stripe; readonly secret: string },
): Promise<void> {
  let problem: unknown;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (attempt > 0) await sleep(100 * 2 ** attempt);
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret });
    const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
    try {
      const answer = await fetch(url, { method: "POST", headers, body: payload });
      await answer.body?.cancel();
      if (answer.ok) return;
      problem = new Error(`the webhook answered ${answer.status}`);
    } catch (error) {
      problem = error;
    }
  }
  throw new Error("An event of the development biller was not taken", { cause: problem });
}
