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
import {
  newDevelopmentId,
  openLedger,
  own,
  type DevelopmentPortal,
  type DevelopmentSubscription,
  type Ledger,
} from "./ledger.ts";
import { confirmPage, declined, lostPage, pageHeaders, payPage, portalPage } from "./pages.ts";
import { setTimeout as sleep } from "node:timers/promises";

export interface DevelopmentBiller extends DevelopmentBillerPages {
  /** Answers Stripe's client. */
  readonly fetch: typeof globalThis.fetch;
  readonly secretKey: string;
  /** Signs the events of this run. */
  readonly webhookSecret: string;
}

export interface DevelopmentBillerNeeds {
  /** The file of its ledger. */
  readonly file: string;
  readonly clock: Clock;
  readonly onFault: (error: unknown, where: string) => void;
  /** Reorders and repeats events; at random unless given. */
  readonly disorder?: typeof disorder;
}

/** Stands in for Stripe: the part of its interface that is used here, its pages, and events as unreliable as its own. */
export function createDevelopmentBiller(needs: DevelopmentBillerNeeds): DevelopmentBiller {
  const { file, clock, onFault } = needs;
  const { ledger, save } = openLedger(file);
  const secretKey = "sk_test_development";
  const webhookSecret = `whsec_${randomBytes(24).toString("hex")}`;
  const stripe = new Stripe(secretKey, { telemetry: false });
  const seconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  let origin = "";

  async function tell(happenings: readonly Happening[]): Promise<void> {
    save();
    const events = happenings.map((happening) => eventOf(happening, seconds()));
    const mixed = (needs.disorder ?? disorder)(events);
    await Promise.all(mixed.map((event) => deliver(event, `${origin}/webhooks/stripe`, stripe, webhookSecret)));
  }

  /** Sends an action's events; the portal shows a notice when the card was declined. */
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
      await settle(portal, own(acts, what)?.(ledger, subscription, seconds()) ?? []);
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

function showPortal(ledger: Ledger, portal: DevelopmentPortal, now: number): string {
  const path = pathOf("portal", portal.id);
  const changing = portal.change && own(ledger.subscriptions, portal.change.subscriptionId);
  if (changing) return confirmPage(ledger, changing, portal, path, now);
  const theirs = Object.values(ledger.subscriptions).filter(({ customerId }) => customerId === portal.customerId);
  return portalPage(ledger, theirs.toReversed(), portal, path);
}

type Act = (ledger: Ledger, subscription: DevelopmentSubscription, now: number) => Happening[] | "declined";

/** The actions of a subscription's buttons. */
const acts: Readonly<Record<string, Act>> = {
  hobby: (ledger, subscription, now) => changePlan(ledger, subscription, "hobby", now),
  creator: (ledger, subscription, now) => changePlan(ledger, subscription, "creator", now),
  cancel: (ledger, subscription) => setCancelAtPeriodEnd(ledger, subscription, true),
  resume: (ledger, subscription) => setCancelAtPeriodEnd(ledger, subscription, false),
  "cancel-now": cancelNow,
  renew: endPeriod,
  "pay-open": payOpen,
  "fail-next"(_ledger, subscription) {
    subscription.failsNext = true;
    return [];
  },
};

const shown = (html: string, status = 200): DevelopmentPage => ({ html, status, headers: pageHeaders });

const lost = (): DevelopmentPage => shown(lostPage(), 404);

/** Stripe is unreliable too: shuffles events, and repeats about one in five. */
function disorder(events: readonly string[]): string[] {
  const some = events.flatMap((event) => (Math.random() < 0.2 ? [event, event] : [event]));
  return some
    .map((event) => ({ event, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ event }) => event);
}

const tries = 5;

const eventOf = ({ type, object }: Happening, created: number): string =>
  JSON.stringify({
    id: newDevelopmentId("evt"),
    object: "event",
    api_version: Stripe.API_VERSION,
    created,
    type,
    data: { object },
  });

/** Posts a signed event to our own webhook until it is taken. Throws when it never is. */
async function deliver(payload: string, url: string, stripe: Stripe, secret: string): Promise<void> {
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
