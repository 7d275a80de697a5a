import type { Biller, Billing } from "../../ports.ts";
import { isOver } from "../../rules/subscription-rules.ts";

interface EndSubscriptionNeeds {
  readonly billing: Billing;
  readonly biller: Biller;
}

/** Ends whatever the account pays for, at once. Throws `upstreamError` when the biller does not answer. */
export const endSubscription =
  ({ billing, biller }: EndSubscriptionNeeds) =>
  async (accountId: string): Promise<void> => {
    for (const subscription of await billing.list(accountId))
      if (!isOver(subscription)) await biller.cancel(subscription.id);
  };
