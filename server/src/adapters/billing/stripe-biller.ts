import { ServiceError } from "@reelscript/contract";
import Stripe from "stripe";
import type { BilledSubscription, Biller, BillingEvent } from "../../ports.ts";
import { idOf, momentOf, paymentOf, statusOf } from "./stripe-objects.ts";
import { createPortalConfiguration } from "./stripe-portal.ts";
import { createStripePrices } from "./stripe-prices.ts";

const timeout = 20_000;
const toleranceSeconds = 300;

export function createStripeBiller(settings: {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Answers in place of Stripe's servers. */
  readonly fetch?: typeof globalThis.fetch;
  readonly onNotice: (error: unknown, where: string) => void;
}): Biller {
  const { secretKey, webhookSecret, fetch, onNotice } = settings;
  const stripe = new Stripe(secretKey, {
    timeout,
    telemetry: false,
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
  });
  const prices = createStripePrices(stripe);
  const portalConfiguration = createPortalConfiguration(stripe, prices);

  return {
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

    startCheckout: async ({ accountId, email, customerId, plan, successUrl, cancelUrl }) =>
      answered(async () => {
        const price = await prices.priceOf(plan);
        const checkout: Stripe.Checkout.SessionCreateParams = {
          mode: "subscription",
          line_items: [{ price: price.id, quantity: 1 }],
          client_reference_id: accountId,
          subscription_data: { metadata: { account_id: accountId } },
          success_url: successUrl,
          cancel_url: cancelUrl,
        };
        // A customer may be deleted at Stripe, and not every identity provider names an address that is one; the pay page asks for it then.
        const payers = [
          ...(customerId === null ? [] : [{ customer: customerId }]),
          ...(email === "" ? [] : [{ customer_email: email }]),
        ];
        for (const payer of [...payers, {}]) {
          const made = await unlessAbout(payer, stripe.checkout.sessions.create({ ...checkout, ...payer }));
          if (made?.url) return made.url;
        }
        throw new Error("Stripe made a checkout without an address");
      }),

    openPortal: async ({ customerId, returnUrl, change }) =>
      answered(async () => {
        const portal = {
          customer: customerId,
          return_url: returnUrl,
          configuration: await portalConfiguration(),
          ...(change && { flow_data: await confirmation(change, returnUrl) }),
        };
        const made = await unlessAbout({ customer: customerId }, stripe.billingPortal.sessions.create(portal));
        if (made) return made.url;
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
        return subscription && describe(subscription);
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

  async function describe(subscription: Stripe.Subscription): Promise<BilledSubscription | undefined> {
    const { id, metadata, customer, created, cancel_at, cancel_at_period_end, latest_invoice } = subscription;
    const [item] = subscription.items.data;
    if (metadata.account_id === undefined || item === undefined) return undefined;
    const plan = await prices.planOf(item.price);
    // Of another service that sells through the same Stripe account.
    if (plan === undefined && !metadata.account_id.startsWith("acc_")) return undefined;
    if (plan === undefined)
      throw new Error(`The subscription ${id} has the price ${item.price.id}, which is no plan's`);
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

  async function confirmation(
    { subscriptionId, plan }: NonNullable<Parameters<Biller["openPortal"]>[0]["change"]>,
    returnUrl: string,
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
}

function aboutOf(event: Stripe.Event): Partial<BillingEvent> {
  if (event.type === "checkout.session.completed") return { subscriptionId: idOf(event.data.object.subscription) };
  if (event.type === "invoice.paid") return { invoiceId: event.data.object.id };
  return event.type.startsWith("customer.subscription.")
    ? { subscriptionId: (event.data.object as { readonly id: string }).id } // safe: these events carry the subscription
    : {};
}

/** `undefined` for what there is not. */
async function existing<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return undefined;
    throw error;
  });
}

/** `undefined` when it is refused for one of these parameters. */
async function unlessAbout<Result>(parameters: object, asked: Promise<Result>): Promise<Result | undefined> {
  return asked.catch((error: unknown) => {
    const { StripeInvalidRequestError } = Stripe.errors;
    if (error instanceof StripeInvalidRequestError && Object.hasOwn(parameters, error.param ?? "")) return undefined;
    throw error;
  });
}

/** What may pass by itself is told to the caller; what is set up wrongly is a fault of ours. */
async function answered<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
    const passing = [StripeAPIError, StripeConnectionError, StripeRateLimitError];
    if (!passing.some((kind) => error instanceof kind)) throw error;
    throw new ServiceError(
      "upstreamError",
      "The payment provider isn't responding. Nothing was changed. Try again in a minute.",
      { reason: "paymentProviderUnreachable", cause: error },
    );
  }
}
