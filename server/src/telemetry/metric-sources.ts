import { readFile } from "node:fs/promises";
import type { OpenedStore } from "../adapters/database/open-store.ts";
import type { Clock } from "../ports.ts";
import type { MetricSources, RecognizerFigures, WorkFigures } from "./metrics.ts";

const patienceMilliseconds = 2_000;
/** Scrapes within this time share an answer, however many there are. */
const freshMilliseconds = 2_000;
const pageBytes = 4_096;

/** Leaves out what doesn't answer in time. */
export function metricSources({
  store,
  recognizer,
  clock,
}: {
  readonly store: Pick<OpenedStore, "workFigures" | "connections">;
  readonly recognizer: { processIds(): readonly number[]; restarts(): number } | undefined;
  readonly clock: Clock;
}): MetricSources {
  let shared: { readonly at: number; readonly figures: Promise<WorkFigures | undefined> } | undefined;

  async function readWork(): Promise<WorkFigures> {
    const { oldestQueuedAt, oldestHeldAt, ...counts } = await store.workFigures();
    const now = clock.now().getTime();
    const age = (from: Date | null): number => (from === null ? 0 : Math.max(0, now - from.getTime()) / 1_000);
    return { ...counts, oldestQueuedSeconds: age(oldestQueuedAt), oldestHeldSeconds: age(oldestHeldAt) };
  }

  return {
    work() {
      if (shared === undefined || performance.now() - shared.at > freshMilliseconds)
        shared = { at: performance.now(), figures: inTime(readWork()) };
      return shared.figures;
    },
    connections: () => store.connections(),
    recognizer:
      recognizer &&
      (async (): Promise<RecognizerFigures> => {
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

async function inTime<Value>(value: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMilliseconds);
  });
  return Promise.race([value.catch(() => undefined), tooLate]).finally(() => clearTimeout(timer));
}

/** Where the system tells it (Linux); 0 elsewhere and for a process that is gone. */
async function residentBytes(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/statm`, "utf8").catch(() => "");
  return Number(text.split(" ")[1] ?? 0) * pageBytes;
}
