import { expect, test } from "vitest";
import { createReadiness } from "../../src/start/readiness.ts";

test("is so while the database answers and nobody ends the process", async () => {
  let asked = 0;
  const readiness = createReadiness(async () => void (asked += 1));
  await readiness.check();
  await readiness.check();
  expect(asked).toBe(2);
  readiness.drain();
  await expect(readiness.check()).rejects.toMatchObject({
    code: "unavailable",
    reason: "shuttingDown",
  });
  expect(asked, "the database has no part in it").toBe(2);
});

test("is not when the database refuses, and is again when it is back", async () => {
  let isAway = true;
  const readiness = createReadiness(async () => {
    if (isAway) throw new Error("away");
  });
  await expect(readiness.check()).rejects.toMatchObject({ reason: "databaseUnavailable", status: 503 });
  isAway = false;
  await readiness.check();
});

test("is not when the database never answers, and any number of callers ask it once", async () => {
  let asked = 0;
  const readiness = createReadiness(() => {
    asked += 1;
    return new Promise(() => undefined);
  });
  const answers = await Promise.allSettled(Array.from({ length: 200 }, () => readiness.check()));
  expect(answers.every(({ status }) => status === "rejected")).toBe(true);
  expect(asked).toBe(1);
});
