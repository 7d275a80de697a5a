import type { Billing } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { isLive, isOver } from "../../rules/subscription-rules.ts";

interface GetBillingNeeds {
  readonly billing: Billing;
}

export const getBilling =
  ({ billing }: GetBillingNeeds): Handler<"getBilling"> =>
  async ({ caller: { account } }) => {
    const subscriptions = await billing.list(account.id);
    const live = subscriptions.find(isLive);
    const periodEnd = account.paidPeriod?.end ?? live?.periodEnd;
    return {
      plan: account.plan,
      status: statusOf(live ?? subscriptions.find(isOver)),
      periodEnd: periodEnd?.toISOString() ?? null,
      cancelsAt: live?.cancelsAt?.toISOString() ?? null,
      manageable: subscriptions.some(({ customerId }) => customerId !== null),
    };
  };

function statusOf(subscription: Parameters<typeof isLive>[0] | undefined): "none" | "active" | "pastDue" | "canceled" {
  if (subscription === undefined || subscription.status === "incomplete_expired") return "none";
  if (!isLive(subscription)) return "canceled";
  return subscription.status === "past_due" ? "pastDue" : "active";
}
