import { ServiceError } from "@reelscript/contract";
import { afterEach, describe, expect, test } from "vitest";
import { startPeriodicWork } from "../../src/periodic/periodic-work.ts";
import type { PeriodicTask, TaskLeases } from "../../src/ports.ts";
import { openEmbedded, openOnServer } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { serviceOfTest } from "../harness/start-test-service.ts";
import { createTestClock, hour } from "../harness/test-clock.ts";

const nobody: TaskLeases = { take: () => expect.fail("each process for itself"), end: () => Promise.resolve() };
const started: ReturnType<typeof startPeriodicWork>[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((work) => work.stop()));
});

function start(tasks: readonly PeriodicTask[], taskLeases = nobody) {
  const clock = createTestClock();
  const faults: { task: string; message: string }[] = [];
  const onFault = (error: unknown, task: string): void => void faults.push({ task, message: String(error) });
  const work = startPeriodicWork({ tasks, taskLeases, clock, onFault });
  started.push(work);
  return { clock, faults, work };
}

const hourly = (run: PeriodicTask["run"], changes: Partial<PeriodicTask> = {}): PeriodicTask => ({
  name: "test",
  everySeconds: 3_600,
  scope: "process",
  run,
  ...changes,
});

test("a task that throws or hangs stops no other, and runs again", async () => {
  const runs = { sound: 0, broken: 0, hung: 0 };
  const aborted: unknown[] = [];
  const { clock, faults } = start([
    hourly(
      (_now, signal) => {
        runs.hung += 1;
        signal.addEventListener("abort", () => aborted.push(signal.reason));
        return new Promise<never>(() => undefined);
      },
      { name: "hung", limitSeconds: 0.05 },
    ),
    hourly(() => Promise.reject(new Error(`broken ${(runs.broken += 1)}`)), { name: "broken" }),
    hourly(() => Promise.resolve((runs.sound += 1) < 0), { name: "sound" }),
  ]);
  for (const times of [1, 2]) {
    await expect.poll(() => faults).toHaveLength(2 * times);
    await expect.poll(() => runs).toEqual({ sound: times, broken: times, hung: times });
    expect(aborted).toHaveLength(times);
    clock.advance(hour);
  }
  expect(faults).toContainEqual({ task: "hung", message: "Error: hung did not end within 0.05 s" });
  expect(faults).toContainEqual({ task: "broken", message: "Error: broken 2" });
});

test("a database outage is reported once, and again after half a minute", async () => {
  let runs = 0;
  let isAway = true;
  const run = (): Promise<boolean> => {
    runs += 1;
    return isAway ? Promise.reject(new ServiceError("unavailable", "away")) : Promise.resolve(false);
  };
  const { clock, faults } = start([hourly(run, { name: "often", everySeconds: 5 })]);
  const after = async (seconds: number): Promise<number> => {
    const before = runs;
    clock.advance(seconds * 1_000);
    await expect.poll(() => runs).toBe(before + 1);
    return faults.length;
  };
  await expect.poll(() => faults).toHaveLength(1);
  expect([await after(5), await after(5)], "reported already").toEqual([1, 1]);
  await after(25);
  await expect.poll(() => faults).toHaveLength(2);
  isAway = false;
  expect(await after(5)).toBe(2);
  isAway = true;
  await after(5);
  await expect.poll(() => faults).toHaveLength(3);
});

test("unfinished tasks continue until nothing is left or the service stops", async () => {
  const left = { few: 3 };
  let batches = 0;
  const { work, faults } = start([
    hourly(() => Promise.resolve((left.few -= 1) > 0), { name: "few" }),
    hourly(() => Promise.resolve((batches += 1) > 0), { name: "endless" }),
  ]);
  await expect.poll(() => [left.few, batches > 3]).toEqual([0, true]);
  await work.stop();
  const stopped = batches;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(batches).toBe(stopped);
  expect(faults).toEqual([]);
});

test("a task waits for its first time, and runs after clock setbacks", async () => {
  let runs = 0;
  const { clock } = start([hourly(() => Promise.resolve((runs += 1) < 0), { firstAfterSeconds: 600 })]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(runs).toBe(0);
  clock.advance(hour / 6);
  await expect.poll(() => runs).toBe(1);
  clock.advance(-2 * hour);
  await expect.poll(() => runs).toBe(2);
});

function onceInTheService(open: typeof openEmbedded | (() => ReturnType<typeof openOnServer>)): void {
  test("one process does what must be done once, another after a crash", async () => {
    const { store, close } = await open();
    const done: string[] = [];
    const processes = ["one", "two", "three"].map((name) =>
      start([hourly(async () => done.push(name) < 0, { scope: "service" })], store.taskLeases),
    );
    const passes = (milliseconds: number): void => processes.forEach(({ clock }) => clock.advance(milliseconds));
    try {
      for (const times of [1, 2, 3]) {
        await expect.poll(() => done).toHaveLength(times);
        passes(hour);
      }
      await expect.poll(() => done).toHaveLength(4);
      const now = processes[0]!.clock.now();
      // Killed in the middle of it, a process leaves a lease behind.
      expect(await store.taskLeases.take("test", "killed", new Date(now.getTime() + hour + 600_000), now)).toBe(false);
      passes(hour / 2);
      const later = new Date(now.getTime() + 1.1 * hour);
      expect(await store.taskLeases.take("test", "killed", new Date(later.getTime() + hour), later)).toBe(true);
      expect(await store.taskLeases.take("test", "killed", new Date(later.getTime() + hour), later)).toBe(true);
      expect(await store.taskLeases.take("test", "other", new Date(later.getTime() + hour), later)).toBe(false);
      passes(hour);
      passes(hour);
      await expect.poll(() => done).toHaveLength(5);
      expect(processes.flatMap(({ faults }) => faults)).toEqual([]);
    } finally {
      await Promise.all(started.splice(0).map((work) => work.stop()));
      await close();
    }
  });

  test("a lease from a wrong clock delays nobody", async () => {
    const { store, close } = await open();
    const now = new Date();
    const inYears = new Date(now.getTime() + 10_000 * 24 * hour);
    expect(await store.taskLeases.take("test", "wrong", new Date(inYears.getTime() + hour), inYears)).toBe(true);
    expect(await store.taskLeases.take("test", "right", new Date(now.getTime() + hour), now)).toBe(true);
    await close();
  });
}

describe("with the embedded database", () => {
  onceInTheService(openEmbedded);
});
describe.skipIf(!testDatabaseUrl)("with a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  onceInTheService(() => openOnServer(testDatabaseUrl ?? ""));
});

test("a service repeats what its store needs, by its own clock", async () => {
  const service = await serviceOfTest({ transcriber: null, repeated: ["forget-expired-data"] });
  const { keyId, accountId } = await service.createCaller();
  await service.store.keys.revoke(keyId, service.clock.now());
  const keys = async () => (await service.store.keys.list(accountId)).length;
  expect(await keys()).toBe(1);
  service.clock.advance(31 * 24 * hour);
  await expect.poll(keys).toBe(0);
});
