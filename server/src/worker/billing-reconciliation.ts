import type { Billing, Clock } from "../ports.ts";

const restMilliseconds = 60 * 60 * 1_000;

interface Needs {
  readonly billing: Pick<Billing, "takeOverdue">;
  /** Brings an account into agreement with its subscription. */
  readonly readAnew: (subscriptionId: string) => Promise<void>;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

export interface BillingReconciliation {
  /** Reads now what is overdue. */
  reconcile(): Promise<void>;
  /** Ends after the subscription in hand. */
  stop(): Promise<void>;
}

/**
 * Reads subscriptions again whose period has ended without a word, because events get lost. Any number of processes may:
 * each subscription is given to one.
 */
export function startBillingReconciliation({ billing, readAnew, clock, onFault }: Needs): BillingReconciliation {
  let stopped = false;
  async function reconcileAll(): Promise<void> {
    for (;;) {
      const overdue = await billing.takeOverdue(clock.now());
      for (const { id } of overdue) {
        if (stopped) return;
        await readAnew(id).catch(onFault);
      }
      if (overdue.length === 0) return;
    }
  }
  let under: Promise<void> = Promise.resolve();
  const reconcile = (): Promise<void> => {
    under = under.then(reconcileAll).catch(onFault);
    return under;
  };
  void reconcile();
  const timer = setInterval(() => void reconcile(), restMilliseconds).unref();
  return {
    reconcile,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await under;
    },
  };
}
