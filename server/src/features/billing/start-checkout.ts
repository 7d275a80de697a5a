import { plans, ServiceError } from "@reelscript/contract";
import type { Biller, Billing } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { isLive } from "../../rules/subscription-rules.ts";
import type { RefreshSubscription } from "./refresh-subscription.ts";
import { subscriptionsOf } from "./subscriptions-of.ts";

interface StartCheckoutNeeds {
  readonly billing: Billing;
  readonly biller: Biller;
  readonly refreshSubscription: RefreshSubscription;
  readonly baseUrl: () => string;
}

/** A person has one subscription: who pays already confirms its change, or looks after it where that is not possible. */
export const startCheckout =
  ({ billing, biller, refreshSubscription, baseUrl }: StartCheckoutNeeds): Handler<"startCheckout"> =>
  async ({ caller: { account }, input: { plan } }) => {
    const subscriptions = await subscriptionsOf({ billing, refreshSubscription }, account.id);
    const live = subscriptions.find(isLive);
    const customerId = live?.customerId ?? subscriptions.find((one) => one.customerId !== null)?.customerId ?? null;
    const page = `${baseUrl()}/app/usage`;
    if (live && customerId !== null) {
      const { id, cancelsAt, status } = live;
      const ready = status === "active" && cancelsAt === null;
      if (ready && live.plan === plan)
        throw new ServiceError("invalidRequest", `\`plan\`: ${plans[plan].name} is your plan already.`);
      const change = ready ? { subscriptionId: id, plan } : undefined;
      return { url: await biller.openPortal({ customerId, returnUrl: `${page}?checkout=done`, change }) };
    }
    const url = await biller.startCheckout({
      accountId: account.id,
      email: account.email,
      customerId,
      plan,
      successUrl: `${page}?checkout=done`,
      cancelUrl: `${page}?checkout=canceled`,
    });
    return { url };
  };
