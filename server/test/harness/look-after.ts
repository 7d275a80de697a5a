import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import type { Store } from "../../src/ports.ts";
import { startPeriodicWork } from "../../src/periodic/periodic-work.ts";

/** Runs the tasks that are otherwise run about every ten minutes. */
export async function lookAfter({ upkeep }: Pick<OpenedStore, "upkeep">): Promise<void> {
  const { signal } = new AbortController();
  for (const task of upkeep) while (await task.run(new Date(), signal));
}

/** Runs everything in one of the upkeep's tasks at a given moment. */
export async function runUpkeep({ upkeep }: Pick<Store, "upkeep">, name: string, now: Date): Promise<void> {
  const task = upkeep.find((one) => one.name === name)!;
  while (await task.run(now, AbortSignal.timeout(60_000)));
}

/** Repeats a store's periodic tasks, as a service does. */
export const startUpkeep = ({ upkeep, taskLeases }: OpenedStore, faults: unknown[] = []) =>
  startPeriodicWork({
    tasks: upkeep,
    taskLeases,
    clock: { now: () => new Date() },
    onFault: (error) => void faults.push(error),
  });
