import Stripe from "stripe";
import { expect } from "vitest";
import { paidPlans } from "../../src/adapters/billing/stripe-prices.ts";
import type { Clock, PaidPlan } from "../../src/ports.ts";
import {
  beginSubscription,
  cancelNow,
  changePlan,
  emptyBooks,
  endPeriod,
  newStripeId,
  payOpen,
  priceIdOf,
  setCancelAtPeriodEnd,
  toInvoice,
  toPrice,
  toSubscription,
  type Books,
  type Happening,
  type Subscription,
} from "./stripe-books.ts";

/** Stripe, as its client and our webhook see it. Its events come out of order, and some of them twice. */
export interface StripeStandin {
  /** For the service. */
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly fetch: typeof globalThis.fetch;
  /** It doesn't answer while this is true. */
  isAway: boolean;
  /** Presses a button of one of its pages, and has the service take the events; where the button leads. */
  press(page: string, action: string): Promise<string>;
  /** Signs an event as of now, or as of so many seconds ago. */
  sign(text: string, signing?: { readonly secret?: string; readonly secondsAgo?: number }): string;
}

interface Page {
  /** A new subscription is paid for, or the present one is managed. */
  readonly accountId: string | null;
  readonly customerId: string;
  readonly plan: PaidPlan | null;
  readonly returnUrl: string;
  isPaid: boolean;
}

type Act = (books: Books, subscription: Subscription, now: number) => Happening[] | "declined";

/** Buttons of a subscription in the portal, and what only time does. */
const acts: Readonly<Record<string, Act>> = {
  hobby: (books, subscription, now) => changePlan(books, subscription, "hobby", now),
  creator: (books, subscription, now) => changePlan(books, subscription, "creator", now),
  cancel: (books, subscription) => setCancelAtPeriodEnd(books, subscription, true),
  resume: (books, subscription) => setCancelAtPeriodEnd(books, subscription, false),
  "cancel-now": cancelNow,
  renew: endPeriod,
  "pay-open": payOpen,
  "fail-next"(_books, subscription) {
    subscription.failsNext = true;
    return [];
  },
};

/** `post` sends one event; without it, the events of an action are posted to the service, the last first and again. */
export function createStripeStandin({
  clock,
  serviceUrl,
  post,
}: {
  readonly clock: Clock;
  readonly serviceUrl: () => string;
  readonly post?: ((event: string) => void) | undefined;
}): StripeStandin {
  const books = emptyBooks();
  const pages = new Map<string, Page>();
  const secretKey = "sk_test_standin";
  const webhookSecret = "whsec_standin";
  const { webhooks } = new Stripe(secretKey, { telemetry: false });
  const now = (): number => Math.floor(clock.now().getTime() / 1_000);

  const sign: StripeStandin["sign"] = (payload, { secret = webhookSecret, secondsAgo = 0 } = {}) =>
    webhooks.generateTestHeaderString({
      payload,
      secret,
      // The tolerance is judged by the machine's clock, which no test moves.
      timestamp: Math.floor(Date.now() / 1_000) - secondsAgo,
    });

  async function send(happenings: readonly Happening[]): Promise<void> {
    const events = happenings.map(({ type, object }) =>
      JSON.stringify({
        id: newStripeId("evt"),
        object: "event",
        api_version: Stripe.API_VERSION,
        created: now(),
        type,
        data: { object },
      }),
    );
    if (post) return events.forEach(post);
    await Promise.all(
      [...events.toReversed(), ...events.slice(0, 1)].map(async (text) => {
        const answer = await fetch(`${serviceUrl()}/webhooks/stripe`, {
          method: "POST",
          headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": sign(text) },
          body: text,
        });
        expect(answer.status, await answer.text()).toBe(200);
      }),
    );
  }

  function open(kind: "pay" | "portal", page: Page): { id: string; url: string } {
    const id = newStripeId(kind);
    pages.set(id, page);
    return { id, url: `https://stripe.test/${kind}/${id}` };
  }

  async function pay(id: string, page: Page, accountId: string): Promise<string> {
    if (page.isPaid) return page.returnUrl;
    page.isPaid = true;
    const payer = { accountId, customerId: page.customerId, plan: page.plan! }; // safe: a checkout has a plan
    const { subscription, happenings } = beginSubscription(books, payer, now());
    const checkout = { id, object: "checkout.session", subscription: subscription.id, customer: page.customerId };
    await send([{ type: "checkout.session.completed", object: checkout }, ...happenings]);
    return page.returnUrl;
  }

  const standin: StripeStandin = {
    secretKey,
    webhookSecret,
    isAway: false,
    sign,
    fetch: async (resource, init) => {
      if (standin.isAway) throw new Error("connect ECONNREFUSED");
      const url = new URL(resource instanceof Request ? resource.url : resource);
      const form = new URLSearchParams(typeof init?.body === "string" ? init.body : "");
      const resourceBody = answer(`${init?.method ?? "GET"} ${url.pathname}`, url.searchParams, form);
      const missing = { error: { type: "invalid_request_error", code: "resource_missing" } };
      return resourceBody ? Response.json(resourceBody) : Response.json(missing, { status: 404 });
    },
    async press(address, action) {
      const id = address.split("/").at(-1)!;
      const page = pages.get(id) ?? expect.fail(`there is no page ${address}`);
      if (page.accountId !== null) return action === "pay" ? pay(id, page, page.accountId) : page.returnUrl;
      const theirs = books.subscriptions.filter(({ customerId }) => customerId === page.customerId);
      const subscription = theirs.findLast(({ status }) => status !== "canceled");
      const act = acts[action === "confirm" ? page.plan! : action] ?? expect.fail(`no button ${action}`);
      const happenings = subscription ? act(books, subscription, now()) : [];
      if (happenings !== "declined") await send(happenings);
      return page.returnUrl;
    },
  };

  /** `undefined` where there is no such object. */
  function answer(call: string, query: URLSearchParams, form: URLSearchParams): object | undefined {
    const planOf = (price: string | null) => paidPlans.find((plan) => priceIdOf(plan) === price) ?? null;
    const [, kind, id] = /\/v1\/(subscriptions|invoices)\/(\w+)$/.exec(call) ?? [];
    if (call === "GET /v1/prices") return { object: "list", has_more: false, data: paidPlans.map(toPrice) };
    if (call === "GET /v1/billing_portal/configurations") return { object: "list", has_more: false, data: [] };
    if (call === "POST /v1/billing_portal/configurations") return { id: "bpc_dev" };
    if (call === "POST /v1/checkout/sessions")
      return open("pay", {
        accountId: form.get("client_reference_id"),
        customerId: form.get("customer") ?? newStripeId("cus"),
        plan: planOf(form.get("line_items[0][price]")),
        returnUrl: form.get("success_url")!,
        isPaid: false,
      });
    if (call === "POST /v1/billing_portal/sessions")
      return open("portal", {
        accountId: null,
        customerId: form.get("customer")!,
        plan: planOf(form.get("flow_data[subscription_update_confirm][items][0][price]")),
        returnUrl: form.get("return_url")!,
        isPaid: false,
      });
    const invoice = kind === "invoices" && books.invoices.find((one) => one.id === id);
    if (invoice) return toInvoice(invoice);
    const subscription = kind === "subscriptions" && books.subscriptions.find((one) => one.id === id);
    if (!subscription) return undefined;
    // Not waited for: the service may be handling an event of this subscription.
    if (call.startsWith("DELETE ")) void send(cancelNow(books, subscription)).catch(() => undefined);
    return toSubscription(books, subscription, query.get("expand[0]") === "latest_invoice");
  }

  return standin;
}
