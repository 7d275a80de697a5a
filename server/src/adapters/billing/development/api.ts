import type { PaidPlan } from "../../../ports.ts";
import { paidPlans } from "../stripe-prices.ts";
import { cancelNow, type Happening } from "./bookkeeping.ts";
import { newDevelopmentId, own, type LedgerFile } from "./ledger.ts";
import { priceIdOf, toCheckout, toInvoice, toPrice, toSubscription } from "./stripe-shapes.ts";

interface ApiNeeds extends LedgerFile {
  readonly origin: () => string;
  readonly tell: (happenings: readonly Happening[]) => void;
}

/** Thrown where there is nothing to answer with. */
const refused = (code: string, status: number, message: string): Response =>
  Response.json({ error: { type: "invalid_request_error", code, message } }, { status });

/** Answers what our code asks of Stripe's servers, so that Stripe's own client is in use in development, too. */
export function createDevelopmentApi(needs: ApiNeeds): typeof globalThis.fetch {
  return async (resource, init) => {
    const { pathname, searchParams } = new URL(resource instanceof Request ? resource.url : resource);
    const form = new URLSearchParams(typeof init?.body === "string" ? init.body : "");
    try {
      return Response.json(answer(needs, `${init?.method ?? "GET"} ${pathname}`, searchParams, form));
    } catch (error) {
      if (error instanceof Response) return error;
      throw error;
    }
  };
}

const configuration = { id: "bpc_dev", object: "billing_portal.configuration", active: true };

function answer({ ledger, save, origin, tell }: ApiNeeds, call: string, query: URLSearchParams, form: URLSearchParams) {
  const [, kind = "", id = ""] = /\/v1\/([a-z_]+(?:\/[a-z]+)?)\/([a-z]+_\w+)$/.exec(call) ?? [];
  if (call === "GET /v1/prices") return { object: "list", has_more: false, data: paidPlans.map(toPrice) };
  if (call === "GET /v1/billing_portal/configurations") return { object: "list", has_more: false, data: [] };
  if (call === "POST /v1/billing_portal/configurations") return configuration;
  if (call === "POST /v1/checkout/sessions") {
    const customerId = form.get("customer");
    const checkout = {
      id: newDevelopmentId("cs"),
      accountId: given(form, "client_reference_id"),
      email: form.get("customer_email") ?? "",
      customerId,
      plan: planOf(given(form, "line_items[0][price]")),
      successUrl: given(form, "success_url"),
      cancelUrl: given(form, "cancel_url"),
      declined: false,
      subscriptionId: null,
    };
    ledger.checkouts[checkout.id] = checkout;
    save();
    return { ...toCheckout(checkout), url: `${origin()}/dev-billing/pay/${checkout.id}` };
  }
  if (call === "POST /v1/billing_portal/sessions") {
    const subscriptionId = form.get("flow_data[subscription_update_confirm][subscription]");
    const portal = {
      id: newDevelopmentId("bps"),
      customerId: given(form, "customer"),
      returnUrl: given(form, "return_url"),
      change: subscriptionId === null ? null : { subscriptionId, plan: planOf(given(form, changedPrice)) },
      notice: null,
    };
    if (own(ledger.customers, portal.customerId) === undefined) throw missing(portal.customerId);
    ledger.portals[portal.id] = portal;
    save();
    return { id: portal.id, url: `${origin()}/dev-billing/portal/${portal.id}` };
  }
  if (kind === "subscriptions") {
    const subscription = own(ledger.subscriptions, id);
    if (subscription === undefined) throw missing(id);
    if (call.startsWith("DELETE ")) {
      const happenings = cancelNow(ledger, subscription);
      save();
      tell(happenings);
    }
    return toSubscription(ledger, subscription, query.get("expand[0]") === "latest_invoice");
  }
  if (kind === "invoices") {
    const invoice = ledger.invoices.find((one) => one.id === id);
    if (invoice === undefined) throw missing(id);
    return toInvoice(invoice);
  }
  throw refused("not_here", 404, `The development biller does not know ${call}`);
}

const changedPrice = "flow_data[subscription_update_confirm][items][0][price]";

const missing = (id: string): Response => refused("resource_missing", 404, `No such object: ${id}`);

function given(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value === null) throw refused("parameter_missing", 400, `${name} is missing`);
  return value;
}

function planOf(price: string): PaidPlan {
  const plan = paidPlans.find((one) => priceIdOf(one) === price);
  if (plan === undefined) throw missing(price);
  return plan;
}
