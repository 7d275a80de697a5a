import { plans, ServiceError } from "@reelscript/contract";
import type { StoredSubscription, Billing, Biller } from "../../ports.ts";
import type { Handlers } from "../../run/handler.ts";
import { isLive, isOver } from "../../rules/subscription-rules.ts";
import type { RefreshSubscription } from "./refresh-subscription.ts";

interface SubscriptionNeeds {
  readonly billing: Billing;
  readonly refreshSubscription: RefreshSubscription;
}

interface BillingNeeds extends SubscriptionNeeds {
  readonly biller: Biller;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
}

export const billingHandlers = ({ billing, biller, refreshSubscription, baseUrl }: BillingNeeds) =>
  ({
    getBilling: async ({ caller: { account } }) => {
      const subscriptions = await billing.list(account.id);
      const live = subscriptions.find(isLive);
      return {
        plan: account.plan,
        status: statusOf(live ?? subscriptions.find(isOver)),
        periodEnd: account.paidPeriod?.end ?? live?.periodEnd ?? null,
        cancelsAt: live?.cancelsAt ?? null,
        manageable: biller.sells && subscriptions.some(({ customerId }) => customerId !== null),
        sells: biller.sells,
      };
    },

    /** A person has one subscription: someone who already pays confirms a change of it, or manages it where a change isn't possible. */
    startCheckout: async ({ caller: { account }, input: { plan }, whileWaiting }) => {
      const subscriptions = await whileWaiting(() => subscriptionsOf({ billing, refreshSubscription }, account.id));
      const live = subscriptions.find(isLive);
      const customerId = live?.customerId ?? subscriptions.find((one) => one.customerId !== null)?.customerId ?? null;
      const page = `${baseUrl()}/app/usage`;
      if (live && customerId !== null) {
        const { id, cancelsAt, status } = live;
        const ready = status === "active" && cancelsAt === null;
        if (ready && live.plan === plan)
          throw new ServiceError("invalidRequest", `\`plan\`: you're already on ${plans[plan].name}.`);
        const change = ready ? { subscriptionId: id, plan } : undefined;
        const returnUrl = `${page}?checkout=done`;
        return { url: await whileWaiting(() => biller.openPortal({ customerId, returnUrl, change })) };
      }
      const url = await whileWaiting(() =>
        biller.startCheckout({
          accountId: account.id,
          email: account.email,
          customerId,
          plan,
          successUrl: `${page}?checkout=done`,
          cancelUrl: `${page}?checkout=canceled`,
        }),
      );
      return { url };
    },

    openBillingPortal: async ({ caller: { account }, whileWaiting }) => {
      const subscriptions = await whileWaiting(() => subscriptionsOf({ billing, refreshSubscription }, account.id));
      const customerId = [...subscriptions.filter(isLive), ...subscriptions].find((one) => one.customerId)?.customerId;
      if (!customerId)
        throw new ServiceError(
          "notFound",
          "You haven't paid for a plan yet, so there are no invoices. Choose a plan first.",
        );
      const returnUrl = `${baseUrl()}/app/usage`;
      return { url: await whileWaiting(() => biller.openPortal({ customerId, returnUrl })) };
    },
  }) satisfies Partial<Handlers>;

function statusOf(subscription: StoredSubscription | undefined): "none" | "active" | "pastDue" | "canceled" {
  if (subscription === undefined || subscription.status === "incomplete_expired") return "none";
  if (!isLive(subscription)) return "canceled";
  return subscription.status === "past_due" ? "pastDue" : "active";
}

/**
 * The account's subscriptions, newest first. The live one is read from the biller again, because somebody is about to
 * be sent to pay.
 */
async function subscriptionsOf(
  { billing, refreshSubscription }: SubscriptionNeeds,
  accountId: string,
): Promise<StoredSubscription[]> {
  const live = (await billing.list(accountId)).find(isLive);
  if (live) await refreshSubscription(live.id);
  return billing.list(accountId);
}
