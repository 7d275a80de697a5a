import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock, PeriodicTask, TaskLeases } from "../ports.ts";
import { reportOutages } from "../rules/report-outages.ts";

const tickMilliseconds = 1_000;
const limitSeconds = 600;
const shortestRest = 10;
const longestRest = 5_000;

interface Options {
  readonly tasks: readonly PeriodicTask[];
  readonly taskLeases: TaskLeases;
  readonly clock: Clock;
  readonly onFault: (error: unknown, task: string) => void;
}

/**
 * Runs each task when it is due by the clock, independently of the others: one that throws or hangs runs again after its
 * interval. A database outage is reported once per task.
 */
export function startPeriodicWork({ tasks, ...options }: Options) {
  const stopping = new AbortController();
  const holder = randomUUID();
  const schedules = tasks.map((task) => createSchedule(task, { ...options, holder, stopping: stopping.signal }));
  const tick = (): void => {
    for (const schedule of schedules) schedule.tick();
  };
  tick();
  const timer = setInterval(tick, tickMilliseconds).unref();
  return {
    /** Resolves after the running batches have ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(schedules.map((schedule) => schedule.ended()));
    },
  };
}

interface Surroundings extends Omit<Options, "tasks"> {
  readonly holder: string;
  readonly stopping: AbortSignal;
}

function createSchedule(task: PeriodicTask, surroundings: Surroundings) {
  const { clock, onFault } = surroundings;
  const interval = task.everySeconds * 1_000;
  const outages = reportOutages({ clock, onFault: (error) => onFault(error, task.name) });
  let dueAt = clock.now().getTime() + (task.firstAfterSeconds ?? 0) * 1_000;
  let underWay: Promise<void> | undefined;
  return {
    tick(): void {
      const now = clock.now();
      const left = dueAt - now.getTime();
      // If more than a whole interval is left, somebody set the clock back.
      if (underWay !== undefined || (left > 0 && left <= interval)) return;
      dueAt = now.getTime() + interval;
      underWay = runUnderLease(task, now, surroundings)
        .then(outages.succeeded, outages.failed)
        .finally(() => (underWay = undefined));
    },
    ended: async (): Promise<void> => underWay,
  };
}

async function runUnderLease(task: PeriodicTask, startedAt: Date, surroundings: Surroundings): Promise<void> {
  const { taskLeases, clock, holder, stopping } = surroundings;
  if (task.scope === "process") {
    await runBatches(task, surroundings, () => Promise.resolve(true));
    return;
  }
  const take = (): Promise<boolean> => {
    const now = clock.now();
    return taskLeases.take(task.name, holder, new Date(now.getTime() + longestBatch(task)), now);
  };
  if (stopping.aborted || !(await take())) return;
  let isDone = false;
  try {
    isDone = await runBatches(task, surroundings, take);
  } finally {
    // Another process may take over unfinished work right away.
    const nextAt = isDone ? new Date(startedAt.getTime() + task.everySeconds * 1_000) : clock.now();
    await taskLeases.end(task.name, holder, nextAt);
  }
}

/** After a batch, rests as long as the batch took, so that the database is at most half busy. */
async function runBatches(
  task: PeriodicTask,
  { clock, stopping }: Surroundings,
  mayContinue: () => Promise<boolean>,
): Promise<boolean> {
  while (!stopping.aborted) {
    const began = performance.now();
    if (!(await withinLimit(task, clock.now(), stopping))) return true;
    const took = performance.now() - began;
    await rest(Math.min(Math.max(took, shortestRest), longestRest), stopping);
    if (!(await mayContinue())) return false;
  }
  return false;
}

const longestBatch = (task: PeriodicTask): number => (task.limitSeconds ?? limitSeconds) * 1_000;

/** Uses real time, so that moving the clock makes nothing hang. */
async function withinLimit(task: PeriodicTask, now: Date, stopping: AbortSignal): Promise<boolean> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`${task.name} did not end within ${longestBatch(task) / 1_000} s`);
      late.abort(error);
      reject(error);
    }, longestBatch(task)).unref();
  });
  try {
    return await Promise.race([task.run(now, AbortSignal.any([stopping, late.signal])), hung]);
  } finally {
    clearTimeout(timer);
  }
}

const rest = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
