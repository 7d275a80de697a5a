import { rememberedRequests } from "@reelscript/contract";
import { expect, test } from "vitest";
import type { ApiKey, KeyRequest } from "../../src/ports.ts";
import { startPeriodicWork } from "../../src/periodic/periodic-work.ts";
import { createRequestLog } from "../../src/periodic/request-log.ts";
import type { AnsweredCall } from "../../src/run/run.ts";

const account = {
  id: "acc_1",
  email: "",
  name: null,
  plan: "free" as const,
  createdAt: new Date(0),
  periodAnchor: null,
  paidPeriod: null,
};
const callOf = (keyId: string, second: number, door: AnsweredCall["door"] = "rest"): AnsweredCall => ({
  operation: "getUsage",
  caller: { kind: "key", account, key: { id: keyId } as ApiKey },
  door,
  status: 200,
  at: new Date(second * 1_000),
  waitedSeconds: 0,
});

/** Keeps what was written; each write ends when it is told to. */
function aDatabase() {
  const written: (readonly [string, number[]])[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  return {
    written,
    end: (error?: Error) => ends.shift()?.(error),
    add: (requests: ReadonlyMap<string, readonly KeyRequest[]>) => {
      written.push([...requests].map(([key, of]) => [key, of.map(({ at }) => at.getTime() / 1_000)] as const));
      return new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
    },
  };
}

test("calls are written in batches, one at a time", async () => {
  const database = aDatabase();
  const log = createRequestLog({ keyRequests: database, onFault: (error) => expect.fail(String(error)) });
  log.note(callOf("a", 1));
  log.note(callOf("b", 2));
  log.note(callOf("a", 3));
  log.note(callOf("a", 4, "people"));
  log.note({ ...callOf("a", 5), caller: { kind: "anonymous", address: "::1" } });
  expect(database.written).toEqual([]);
  const periodic = startPeriodicWork({
    tasks: [log.task],
    taskLeases: { take: () => expect.fail("each process writes its own"), end: () => Promise.resolve() },
    clock: { now: () => new Date() },
    onFault: (error) => expect.fail(String(error)),
  });
  await expect
    .poll(() => database.written)
    .toEqual([
      [
        ["a", [1, 3]],
        ["b", [2]],
      ],
    ]);
  log.note(callOf("a", 6));
  const stopped = log.write();
  expect(database.written).toHaveLength(1);
  database.end();
  await expect.poll(() => database.written.length).toBe(2);
  expect(database.written[1]).toEqual([["a", [6]]]);
  database.end();
  await stopped;
  await periodic.stop();
});

test("of a key that calls without end the last calls are kept", async () => {
  const database = aDatabase();
  const log = createRequestLog({ keyRequests: database, onFault: (error) => expect.fail(String(error)) });
  for (let second = 0; second < 1_000; second += 1) log.note(callOf("a", second));
  const stopped = log.write();
  await expect.poll(() => database.written.length).toBe(1);
  expect(database.written[0]![0]![1]).toEqual(Array.from({ length: rememberedRequests }, (_, index) => 950 + index));
  database.end();
  await stopped;
});

test("a write that fails is told, and the next one is made", async () => {
  const database = aDatabase();
  const faults: unknown[] = [];
  const log = createRequestLog({ keyRequests: database, onFault: (error) => void faults.push(error) });
  log.note(callOf("a", 1));
  const first = log.write();
  await expect.poll(() => database.written.length).toBe(1);
  const away = new Error("away");
  database.end(away);
  await first;
  expect(faults).toEqual([away]);
  log.note(callOf("a", 2));
  const second = log.write();
  await expect.poll(() => database.written.length).toBe(2);
  database.end();
  await second;
});
