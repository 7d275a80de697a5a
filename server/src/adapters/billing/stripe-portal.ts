import type Stripe from "stripe";
import type { Biller } from "../../ports.ts";
import { paidPlans, productOf, type StripePrices } from "./stripe-prices.ts";

/** Marks the configuration that is ours among those of the same Stripe account. */
const mark = "reelscript";
/** Another one whenever the configuration below changes, so that one that was made before is not found again. */
const version = "2";

/**
 * The id of the portal's configuration, which is made on first use and again when prices change: plans can be changed
 * with what is due invoiced at once, and canceled to the end of the period. A change restarts the biller's month:
 * for the rest of a month it would cost next to nothing on the last day, and yet begin a period.
 */
export function createPortalConfiguration(stripe: Stripe, { priceOf }: StripePrices): () => Promise<string> {
  let made: { readonly for: string; readonly id: string } | undefined;
  return async () => {
    const prices = await Promise.all(paidPlans.map(priceOf));
    const sold = [version, ...prices.map(({ id }) => id)].join(" ");
    if (made?.for === sold) return made.id;
    const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
    const found = data.find(({ metadata }) => metadata?.[mark] === sold);
    const { id } = found ?? (await stripe.billingPortal.configurations.create(configuration(prices, sold)));
    made = { for: sold, id };
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

/** Leads the portal to one question: whether to change to this plan. */
export async function confirmationOf(
  { subscriptionId, plan }: NonNullable<Parameters<Biller["openPortal"]>[0]["change"]>,
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
