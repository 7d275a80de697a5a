import { readFile } from "node:fs/promises";
import type { OpenedStore } from "../adapters/database/open-store.ts";
import type { Clock, OperatorFigures } from "../ports.ts";
import { within } from "./within.ts";
import type { MetricSources, WorkFigures } from "./metrics.ts";

const patienceMilliseconds = 2_000;
/** Scrapes within this time share an answer, however many there are. */
const freshMilliseconds = 2_000;
const pageBytes = 4_096;

/** Leaves out sources that don't answer in time. */
export function metricSources({
  store,
  recognizer,
  clock,
  clockDifference,
}: {
  readonly store: { readonly operatorFigures: Pick<OperatorFigures, "work"> } & Pick<OpenedStore, "connections">;
  readonly recognizer: { processIds(): readonly number[]; restarts(): number } | undefined;
  readonly clock: Clock;
  /** By how many seconds the database's clock is ahead of this machine's, if it has its own. */
  readonly clockDifference?: (() => number) | undefined;
}): MetricSources {
  let shared: { readonly at: number; readonly figures: Promise<WorkFigures | undefined> } | undefined;

  async function readWork(): Promise<WorkFigures | undefined> {
    const read = await within(patienceMilliseconds, store.operatorFigures.work()).catch(() => "failed" as const);
    if (typeof read === "string") return undefined;
    const { oldestQueuedAt, oldestHeldAt, ...counts } = read;
    const now = clock.now().getTime();
    const age = (from: Date | null): number => (from === null ? 0 : Math.max(0, now - from.getTime()) / 1_000);
    return { ...counts, oldestQueuedSeconds: age(oldestQueuedAt), oldestHeldSeconds: age(oldestHeldAt) };
  }

  return {
    work() {
      if (shared === undefined || performance.now() - shared.at > freshMilliseconds)
        shared = { at: performance.now(), figures: readWork() };
      return shared.figures;
    },
    connections: () => store.connections(),
    clockDifference,
    recognizer:
      recognizer &&
      (async () => {
        const processes = recognizer.processIds();
        const memory = await Promise.all(processes.map(residentBytes));
        return {
          processes: processes.length,
          memoryBytes: memory.reduce((sum, bytes) => sum + bytes, 0),
          restarts: recognizer.restarts(),
        };
      }),
  };
}

/** Resident memory in bytes on Linux; 0 elsewhere and for a process that has ended. */
async function residentBytes(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/statm`, "utf8").catch(() => "");
  return Number(text.split(" ")[1] ?? 0) * pageBytes;
}
