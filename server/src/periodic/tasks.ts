import type {
  Canary,
  PeriodicTask,
  BioLinkHealth,
  ProbeLink,
  BioEvents,
  Failure,
  Transcriptions,
  Billing,
} from "../ports.ts";

/** Requests one public reel by each route, so that the operator learns about a broken route before users do. */
export const askCanary = (canary: Canary, onOutcome: (way: string, outcome: string) => void): PeriodicTask => ({
  name: "ask-canary",
  everySeconds: 60 * 60,
  scope: "service",
  async run(_now, signal) {
    for (const way of canary.ways) onOutcome(way, await canary.ask(way, signal));
    return false;
  },
});

const atATime = 4;

/** Checks every link of public pages once a day, a few at a time, and never while a caller waits. */
export const checkBioLinks = (
  health: Pick<BioLinkHealth, "due" | "note">,
  probeLink: ProbeLink,
  now: () => Date,
): PeriodicTask => ({
  name: "check-bio-links",
  everySeconds: 10 * 60,
  scope: "service",
  async run(begun, signal) {
    const due = await health.due(begun);
    if (due === "none") return false;
    const left = due.values();
    const work = async (): Promise<void> => {
      for (const { id, url } of left) {
        const state = await probeLink(url, signal);
        if (state !== "unknown") await health.note(id, url, state, now());
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
    return true;
  },
});

/** Folds the events of bio pages into daily totals, some thousands at a time. */
export const foldBioEvents = (bioEvents: Pick<BioEvents, "fold">): PeriodicTask => ({
  name: "fold-bio-events",
  everySeconds: 60,
  scope: "service",
  run: (now) => bioEvents.fold(now),
});

/** Fails transcriptions whose workers died, once they have no attempt left. */
export const reapTranscriptions = (transcriptions: Pick<Transcriptions, "reap">, failure: Failure): PeriodicTask => ({
  name: "reap-transcriptions",
  everySeconds: 5,
  scope: "process",
  async run(now) {
    await transcriptions.reap(failure, now);
    return false;
  },
});

interface BillingReconciliation {
  readonly billing: Pick<Billing, "takeOverdue">;
  /** Updates an account from its subscription. */
  readonly refreshSubscription: (subscriptionId: string) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** Reads subscriptions again whose period has ended without an event, because events get lost. */
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
