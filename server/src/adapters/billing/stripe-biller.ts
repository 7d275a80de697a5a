import { ServiceError } from "@reelscript/contract";
import Stripe from "stripe";
import type { Biller, BillingEvent, BilledSubscription, PlanChange, WantedCheckout } from "../../ports.ts";
import { answered, existing, unlessAbout, idOf, paymentOf, momentOf, statusOf } from "./stripe-objects.ts";
import { createStripe } from "./create-stripe.ts";
import { createStripePrices, type StripePrices, paidPlans, productOf } from "./stripe-prices.ts";

const toleranceSeconds = 300;

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiBase?: string | undefined;
  /** Replaces Stripe's servers in tests. */
  readonly fetch?: typeof globalThis.fetch;
  readonly onNotice: (error: unknown, where: string) => void;
}

export function createStripeBiller(settings: StripeSettings): Biller {
  const { webhookSecret, onNotice } = settings;
  const stripe = createStripe(settings);
  const prices = createStripePrices(stripe);
  const portalConfiguration = createPortalConfiguration(stripe, prices);

  return {
    sells: true,

    readEvent(body, signature) {
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds);
      } catch {
        return undefined;
      }
      if (event.api_version !== Stripe.API_VERSION)
        onNotice(
          new Error(`events are of version ${event.api_version}, not ${Stripe.API_VERSION}`),
          "Stripe's webhook",
        );
      return { id: event.id, type: event.type, subscriptionId: null, invoiceId: null, ...aboutOf(event) };
    },

    startCheckout: async (wish) => answered(async () => startStripeCheckout(wish, { stripe, prices })),

    openPortal: async ({ customerId, returnUrl, change }) =>
      answered(async () => {
        const portal = {
          customer: customerId,
          return_url: returnUrl,
          configuration: await portalConfiguration(),
          ...(change && { flow_data: await confirmationOf(change, returnUrl, { stripe, prices }) }),
        };
        const session = await unlessAbout({ customer: customerId }, stripe.billingPortal.sessions.create(portal));
        if (session) return session.url;
        throw new ServiceError(
          "notFound",
          "The payment provider no longer has your invoices. Choose a plan to start again.",
        );
      }),

    readSubscription: async (subscriptionId) =>
      answered(async () => {
        const subscription = await existing(
          stripe.subscriptions.retrieve(subscriptionId, { expand: ["latest_invoice"] }),
        );
        return subscription && billedSubscriptionOf(subscription, prices);
      }),

    readPayment: async (invoiceId) =>
      answered(async () => {
        const invoice = await existing(stripe.invoices.retrieve(invoiceId));
        return invoice && paymentOf(invoice);
      }),

    cancel: async (subscriptionId) =>
      answered(async () => {
        const subscription = await existing(stripe.subscriptions.retrieve(subscriptionId));
        if (subscription === undefined || ["canceled", "incomplete_expired"].includes(subscription.status)) return;
        await existing(stripe.subscriptions.cancel(subscriptionId));
      }),
  };
}

function aboutOf(event: Stripe.Event): Partial<BillingEvent> {
  if (event.type === "checkout.session.completed") return { subscriptionId: idOf(event.data.object.subscription) };
  if (event.type === "invoice.paid") return { invoiceId: event.data.object.id };
  return event.type.startsWith("customer.subscription.")
    ? { subscriptionId: (event.data.object as { readonly id: string }).id } // safe: these events carry the subscription
    : {};
}

/** The address of a page where somebody pays for a plan. */
async function startStripeCheckout(
  { accountId, email, customerId, plan, successUrl, cancelUrl }: WantedCheckout,
  { stripe, prices }: { readonly stripe: Stripe; readonly prices: StripePrices },
): Promise<string> {
  const price = await prices.priceOf(plan);
  const checkout: Stripe.Checkout.SessionCreateParams = {
    mode: "subscription",
    line_items: [{ price: price.id, quantity: 1 }],
    client_reference_id: accountId,
    subscription_data: { metadata: { account_id: accountId } },
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
  // A customer may be deleted at Stripe, and some identity providers give no valid email address; the checkout page asks for
  // one then.
  const payers = [
    ...(customerId === null ? [] : [{ customer: customerId }]),
    ...(email === "" ? [] : [{ customer_email: email }]),
  ];
  for (const payer of [...payers, {}]) {
    const session = await unlessAbout(payer, stripe.checkout.sessions.create({ ...checkout, ...payer }));
    if (session?.url) return session.url;
  }
  throw new Error("Stripe made a checkout without an address");
}

/** A subscription of ours as the service stores it; `undefined` for one that another service created. */
async function billedSubscriptionOf(
  subscription: Stripe.Subscription,
  prices: StripePrices,
): Promise<BilledSubscription | undefined> {
  const { id, metadata, customer, created, cancel_at, cancel_at_period_end, latest_invoice } = subscription;
  const [item] = subscription.items.data;
  if (metadata.account_id === undefined || item === undefined) return undefined;
  const plan = await prices.planOf(item.price);
  // Another service sells through the same Stripe account.
  if (plan === undefined && !metadata.account_id.startsWith("acc_")) return undefined;
  if (plan === undefined) throw new Error(`The subscription ${id} has the price ${item.price.id}, which is no plan's`);
  const periodEnd = momentOf(item.current_period_end);
  const invoice = typeof latest_invoice === "string" ? null : latest_invoice;
  return {
    id,
    accountId: metadata.account_id,
    customerId: idOf(customer) ?? "",
    plan,
    status: statusOf(subscription),
    createdAt: momentOf(created),
    periodEnd,
    cancelsAt: cancel_at === null ? (cancel_at_period_end ? periodEnd : null) : momentOf(cancel_at),
    lastPayment: (invoice && paymentOf(invoice)) ?? null,
  };
}

/** Marks our configuration among those of the same Stripe account. */
const mark = "reelscript";
/** Change this with the configuration below, so that an earlier one is not reused. */
const version = "2";

/**
 * The id of the portal's configuration, which is created on first use and again when prices change. Plans can be changed with
 * the amount due invoiced immediately, and canceled at the end of the period. A change restarts the biller's month: paying only
 * for the rest of a month would cost next to nothing on the last day and still begin a period.
 */
function createPortalConfiguration(stripe: Stripe, { priceOf }: StripePrices): () => Promise<string> {
  let lastConfiguration: { readonly for: string; readonly id: string } | undefined;
  return async () => {
    const prices = await Promise.all(paidPlans.map(priceOf));
    const sold = [version, ...prices.map(({ id }) => id)].join(" ");
    if (lastConfiguration?.for === sold) return lastConfiguration.id;
    const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
    const portalConfiguration = data.find(({ metadata }) => metadata?.[mark] === sold);
    const { id } =
      portalConfiguration ?? (await stripe.billingPortal.configurations.create(configuration(prices, sold)));
    lastConfiguration = { for: sold, id };
    return id;
  };
}

const configuration = (
  prices: readonly Stripe.Price[],
  sold: string,
): Stripe.BillingPortal.ConfigurationCreateParams => ({
  metadata: { [mark]: sold },
  features: {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    customer_update: { enabled: true, allowed_updates: ["email", "address", "tax_id"] },
    subscription_cancel: { enabled: true, mode: "at_period_end" },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ["price"],
      billing_cycle_anchor: "now",
      proration_behavior: "always_invoice",
      products: prices.map((price) => ({ product: productOf(price), prices: [price.id] })),
    },
  },
});

/** Opens the portal at one question: whether to change to this plan. */
async function confirmationOf(
  { subscriptionId, plan }: PlanChange,
  returnUrl: string,
  { stripe, prices }: { readonly stripe: Stripe; readonly prices: StripePrices },
): Promise<Stripe.BillingPortal.SessionCreateParams.FlowData> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId);
  const { id } = subscription.items.data[0]!; // safe: it was stored with its item
  const price = await prices.priceOf(plan);
  return {
    type: "subscription_update_confirm",
    subscription_update_confirm: { subscription: subscriptionId, items: [{ id, price: price.id, quantity: 1 }] },
    after_completion: { type: "redirect", redirect: { return_url: returnUrl } },
  };
}
