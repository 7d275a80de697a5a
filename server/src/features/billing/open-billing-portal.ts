import { ServiceError } from "@reelscript/contract";
import type { Biller, Billing } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { isLive } from "../../rules/subscription-rules.ts";
import type { RefreshSubscription } from "./refresh-subscription.ts";
import { subscriptionsOf } from "./subscriptions-of.ts";

interface OpenBillingPortalNeeds {
  readonly billing: Billing;
  readonly biller: Biller;
  readonly refreshSubscription: RefreshSubscription;
  readonly baseUrl: () => string;
}

export const openBillingPortal =
  ({ billing, biller, refreshSubscription, baseUrl }: OpenBillingPortalNeeds): Handler<"openBillingPortal"> =>
  async ({ caller: { account } }) => {
    const subscriptions = await subscriptionsOf({ billing, refreshSubscription }, account.id);
    const customerId = [...subscriptions.filter(isLive), ...subscriptions].find((one) => one.customerId)?.customerId;
    if (!customerId)
      throw new ServiceError(
        "notFound",
        "You haven't paid for a plan yet, so there are no invoices. Choose a plan first.",
      );
    return { url: await biller.openPortal({ customerId, returnUrl: `${baseUrl()}/app/usage` }) };
  };
