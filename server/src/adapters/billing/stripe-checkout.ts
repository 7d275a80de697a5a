import type Stripe from "stripe";
import type { Biller } from "../../ports.ts";
import { unlessAbout } from "./stripe-answers.ts";
import type { StripePrices } from "./stripe-prices.ts";

/** The address of a page on which somebody pays for a plan. */
export async function startStripeCheckout(
  { accountId, email, customerId, plan, successUrl, cancelUrl }: Parameters<Biller["startCheckout"]>[0],
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
}
