import type { Billing, StoredSubscription } from "../../ports.ts";
import { isLive } from "../../rules/subscription-rules.ts";
import type { RefreshSubscription } from "./refresh-subscription.ts";

interface SubscriptionsOfNeeds {
  readonly billing: Billing;
  readonly refreshSubscription: RefreshSubscription;
}

/** The account's subscriptions, newest first, the live one as the biller has it now: before somebody is sent to pay. */
export async function subscriptionsOf(
  { billing, refreshSubscription }: SubscriptionsOfNeeds,
  accountId: string,
): Promise<StoredSubscription[]> {
  const live = (await billing.list(accountId)).find(isLive);
  if (live) await refreshSubscription(live.id);
  return billing.list(accountId);
}
