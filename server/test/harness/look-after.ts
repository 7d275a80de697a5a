import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import type { Store } from "../../src/ports.ts";
import { startPeriodicWork } from "../../src/periodic/periodic-work.ts";

/** Does now what is otherwise done about every ten minutes. */
export async function lookAfter({ upkeep }: Pick<OpenedStore, "upkeep">): Promise<void> {
  const { signal } = new AbortController();
  for (const task of upkeep) while (await task.run(new Date(), signal));
}

/** Does at a moment all that one task of the upkeep has to do. */
export async function runUpkeep({ upkeep }: Pick<Store, "upkeep">, name: string, now: Date): Promise<void> {
  const task = upkeep.find((one) => one.name === name)!;
  while (await task.run(now, AbortSignal.timeout(60_000)));
}

/** Repeats what a store wants repeated, as a service does. */
export const startUpkeep = ({ upkeep, taskLeases }: OpenedStore, faults: unknown[] = []) =>
  startPeriodicWork({
    tasks: upkeep,
    taskLeases,
    clock: { now: () => new Date() },
    onFault: (error) => void faults.push(error),
  });
