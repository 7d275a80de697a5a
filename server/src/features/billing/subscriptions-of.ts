import type { Billing, StoredSubscription } from "../../ports.ts";
import { isLive } from "../../subscription-rules.ts";
import type { ReadAnew } from "./read-anew.ts";

interface Needs {
  readonly billing: Billing;
  readonly readAnew: ReadAnew;
}

/** The account's subscriptions, newest first, the live one as the biller has it now: before somebody is sent to pay. */
export async function subscriptionsOf({ billing, readAnew }: Needs, accountId: string): Promise<StoredSubscription[]> {
  const live = (await billing.list(accountId)).find(isLive);
  if (live) await readAnew(live.id);
  return billing.list(accountId);
}
