import type { Clock, FellowWorker, Store } from "../ports.ts";

const lookMilliseconds = 500;
const reportMilliseconds = 1_500;
/** Without another sign of life for this long, a worker counts as dead. */
const aliveMilliseconds = 6_000;

interface FellowWorkersNeeds {
  readonly store: Pick<Store, "workers">;
  readonly clock: Clock;
  /** Unique among workers. */
  readonly name: string;
  readonly isWell: () => boolean;
  /** True if its process makes videos, too. */
  readonly makesVideos: boolean;
}

/**
 * Announces this worker to the others, and tracks which of them are alive. While the database is down, none counts as alive.
 */
export function followFellowWorkers({ store, clock, name, isWell, makesVideos }: FellowWorkersNeeds) {
  const workers = new Map<string, FellowWorker & { readonly changedAt: number }>();
  let reportedAt = -Infinity;
  let reported: boolean | undefined;
  let reporting: Promise<void> | undefined;
  let isStopped = false;

  async function report(well: boolean): Promise<void> {
    const moment = clock.now();
    const fellows = await store.workers.report(name, { isWell: well, makesVideos: makesVideos && !isStopped }, moment);
    const now = performance.now();
    const names = new Set(fellows.map((fellow) => fellow.name));
    for (const gone of workers.keys()) if (!names.has(gone)) workers.delete(gone);
    for (const fellow of fellows) {
      const before = workers.get(fellow.name);
      // Clocks differ, so a timestamp itself says little, but a change of it is a sign of life.
      const isSign =
        before === undefined
          ? Math.abs(fellow.seenAt.getTime() - moment.getTime()) < aliveMilliseconds
          : fellow.seenAt.getTime() !== before.seenAt.getTime();
      workers.set(fellow.name, { ...fellow, changedAt: isSign ? now : (before?.changedAt ?? -Infinity) });
    }
  }

  function look(): void {
    const well = isWell();
    const now = performance.now();
    if (reporting !== undefined || (well === reported && now - reportedAt < reportMilliseconds)) return;
    reported = well;
    reportedAt = now;
    // Logs nothing, because claims report that the database is down.
    reporting = report(well)
      .catch(() => undefined)
      .finally(() => (reporting = undefined));
  }

  look();
  const timer = setInterval(look, lookMilliseconds);
  return {
    /** Resolves when the others are known, or the database is down. */
    known: Promise.resolve(reporting),
    /** True if another worker is running and healthy. */
    hasWell(): boolean {
      const since = performance.now() - aliveMilliseconds;
      return [...workers.values()].some((fellow) => fellow.isWell && fellow.changedAt > since);
    },
    /** Afterward no other worker relies on this one. */
    async stop(): Promise<void> {
      clearInterval(timer);
      isStopped = true;
      await reporting;
      await report(false).catch(() => undefined);
    },
  };
}
