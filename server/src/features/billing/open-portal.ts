import { ServiceError } from "@reelscript/contract";
import type { Biller, Billing } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { isLive } from "../../subscription-rules.ts";

interface Needs {
  readonly billing: Billing;
  readonly biller: Biller;
  readonly baseUrl: () => string;
}

export const openPortal =
  ({ billing, biller, baseUrl }: Needs): Handler<"openBillingPortal"> =>
  async ({ caller: { account } }) => {
    const subscriptions = await billing.list(account.id);
    const shown = subscriptions.find(isLive) ?? subscriptions[0];
    if (shown === undefined)
      throw new ServiceError("notFound", "Nothing was ever paid here, so there are no invoices. Choose a plan first.");
    const { customerId } = shown;
    return { url: await biller.openPortal({ customerId, returnUrl: `${baseUrl()}/app/usage` }) };
  };
