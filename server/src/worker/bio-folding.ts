import type { BioEvents, Clock } from "../ports.ts";

const restMilliseconds = 10 * 60 * 1_000;

interface Needs {
  readonly bioEvents: Pick<BioEvents, "fold">;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

export interface BioFolding {
  /** Ends after the day in hand. */
  stop(): Promise<void>;
}

/** Folds the events of bio pages into daily totals as soon as their days are old enough. Any number of processes may. */
export function startBioFolding({ bioEvents, clock, onFault }: Needs): BioFolding {
  let stopped = false;
  async function fold(): Promise<void> {
    while (!stopped && (await bioEvents.fold(clock.now())));
  }
  let folding: Promise<void> = Promise.resolve();
  const begin = (): void => {
    folding = folding.then(fold).catch(onFault);
  };
  begin();
  const timer = setInterval(begin, restMilliseconds).unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await folding;
    },
  };
}
