import { ServiceError } from "@reelscript/contract";
import Stripe from "stripe";
import type { Biller, BillingEvent } from "../../ports.ts";
import { billedSubscriptionOf } from "./billed-subscription-of.ts";
import { answered, existing, unlessAbout } from "./stripe-answers.ts";
import { startStripeCheckout } from "./stripe-checkout.ts";
import { idOf, paymentOf } from "./stripe-objects.ts";
import { confirmationOf, createPortalConfiguration } from "./stripe-portal.ts";
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

    startCheckout: async (wish) => answered(async () => startStripeCheckout(wish, { stripe, prices })),

    openPortal: async ({ customerId, returnUrl, change }) =>
      answered(async () => {
        const portal = {
          customer: customerId,
          return_url: returnUrl,
          configuration: await portalConfiguration(),
          ...(change && { flow_data: await confirmationOf(change, returnUrl, { stripe, prices }) }),
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
