import { plans, ServiceError } from "@reelscript/contract";
import type { Biller, Billing } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { isLive } from "../../subscription-rules.ts";

interface Needs {
  readonly billing: Billing;
  readonly biller: Biller;
  readonly baseUrl: () => string;
}

/** A person has one subscription: who pays already confirms its change, or looks after it where that is not possible. */
export const startCheckout =
  ({ billing, biller, baseUrl }: Needs): Handler<"startCheckout"> =>
  async ({ caller: { account }, input: { plan } }) => {
    const subscriptions = await billing.list(account.id);
    const live = subscriptions.find(isLive);
    const page = `${baseUrl()}/app/usage`;
    if (live) {
      const { id, customerId, cancelsAt, status } = live;
      const ready = status === "active" && cancelsAt === null;
      if (ready && live.plan === plan)
        throw new ServiceError("invalidRequest", `\`plan\`: ${plans[plan].name} is your plan already.`);
      const change = ready ? { subscriptionId: id, plan } : undefined;
      return { url: await biller.openPortal({ customerId, returnUrl: `${page}?checkout=done`, change }) };
    }
    const url = await biller.startCheckout({
      accountId: account.id,
      email: account.email,
      customerId: subscriptions[0]?.customerId ?? null,
      plan,
      successUrl: `${page}?checkout=done`,
      cancelUrl: `${page}?checkout=canceled`,
    });
    return { url };
  };
