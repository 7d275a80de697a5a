import type { Billing, PeriodicTask } from "../ports.ts";

interface BillingReconciliation {
  readonly billing: Pick<Billing, "takeOverdue">;
  /** Brings an account into agreement with its subscription. */
  readonly refreshSubscription: (subscriptionId: string) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** Reads subscriptions again whose period has ended without a word, because events get lost. */
export const reconcileBilling = ({ billing, refreshSubscription, onFault }: BillingReconciliation): PeriodicTask => ({
  name: "reconcile-billing",
  everySeconds: 60 * 60,
  scope: "service",
  async run(now, signal) {
    const overdue = await billing.takeOverdue(now);
    for (const { id } of overdue) {
      if (signal.aborted) break;
      await refreshSubscription(id).catch(onFault);
    }
    return overdue.length > 0;
  },
});
