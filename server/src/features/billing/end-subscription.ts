import type { Biller, Billing } from "../../ports.ts";
import { isOver } from "../../subscription-rules.ts";

interface Needs {
  readonly billing: Billing;
  readonly biller: Biller;
}

/** Ends whatever the account pays for, at once. Throws `upstreamError` when the biller does not answer. */
export const endSubscription =
  ({ billing, biller }: Needs) =>
  async (accountId: string): Promise<void> => {
    for (const subscription of await billing.list(accountId))
      if (!isOver(subscription)) await biller.cancel(subscription.id);
  };
