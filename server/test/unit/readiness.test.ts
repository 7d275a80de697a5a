import { once } from "node:events";
import { createServer, connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createReadiness } from "../../src/start/readiness.ts";

test("is so while the database answers and nobody ends the process", async () => {
  let checkCount = 0;
  const readiness = createReadiness(async () => void (checkCount += 1));
  await readiness.check();
  await readiness.check();
  expect(checkCount).toBe(2);
  readiness.drain();
  await expect(readiness.check()).rejects.toMatchObject({
    code: "unavailable",
    reason: "shuttingDown",
  });
  expect(checkCount, "the database has no part in it").toBe(2);
});

test("fails while the database refuses, and succeeds afterward", async () => {
  let isAway = true;
  const readiness = createReadiness(async () => {
    if (isAway) throw new Error("away");
  });
  await expect(readiness.check()).rejects.toMatchObject({ reason: "databaseUnavailable", status: 503 });
  isAway = false;
  await readiness.check();
});

test("fails if the database never responds, with one query for all callers", async () => {
  let checkCount = 0;
  const readiness = createReadiness(() => {
    checkCount += 1;
    return new Promise(() => undefined);
  });
  const answers = await Promise.allSettled(Array.from({ length: 200 }, () => readiness.check()));
  expect(answers.every(({ status }) => status === "rejected")).toBe(true);
  expect(checkCount).toBe(1);
});

/** This process does nothing else meanwhile. */
function workFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("survives seconds of work in this process, despite the unread response", async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  await once(echo, "listening");
  const socket = connect((echo.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  onTestFinished(() => {
    socket.destroy();
    echo.close();
  });
  const readiness = createReadiness(async () => {
    socket.write("?");
    await once(socket, "data");
  });
  const checks = [readiness.check(), readiness.check()];
  // The echo answers from this process, too: half of the work is before it does, half after.
  setImmediate(() => workFor(2_500));
  setTimeout(() => workFor(2_500), 50);
  expect(await Promise.all(checks)).toEqual([undefined, undefined]);
});

test("asks again when the driver's own time ran out during such work", async () => {
  let checkCount = 0;
  const readiness = createReadiness(() => {
    checkCount += 1;
    if (checkCount > 1) return Promise.resolve();
    return new Promise((_resolve, reject) => setTimeout(() => reject(new Error("Query read timeout")), 1_000));
  });
  const check = readiness.check();
  setImmediate(() => workFor(2_500));
  await check;
  expect(checkCount).toBe(2);
});
