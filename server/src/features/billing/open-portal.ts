import { ServiceError } from "@reelscript/contract";
import type { Biller, Billing } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { isLive } from "../../subscription-rules.ts";
import type { ReadAnew } from "./read-anew.ts";
import { subscriptionsOf } from "./subscriptions-of.ts";

interface Needs {
  readonly billing: Billing;
  readonly biller: Biller;
  readonly readAnew: ReadAnew;
  readonly baseUrl: () => string;
}

export const openPortal =
  ({ billing, biller, readAnew, baseUrl }: Needs): Handler<"openBillingPortal"> =>
  async ({ caller: { account } }) => {
    const subscriptions = await subscriptionsOf({ billing, readAnew }, account.id);
    const customerId = [...subscriptions.filter(isLive), ...subscriptions].find((one) => one.customerId)?.customerId;
    if (!customerId)
      throw new ServiceError("notFound", "Nothing was ever paid here, so there are no invoices. Choose a plan first.");
    return { url: await biller.openPortal({ customerId, returnUrl: `${baseUrl()}/app/usage` }) };
  };
