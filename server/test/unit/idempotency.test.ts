import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createIdempotency } from "../../src/run/idempotency.ts";
import type { IdempotentAnswers } from "../../src/ports.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("calls are renewed together while they run, and not longer", async () => {
  const renewed: (readonly string[])[] = [];
  let begun = 0;
  const answers: IdempotentAnswers = {
    begin: async () => ({ kind: "begun", token: `idm_${(begun += 1)}` }),
    renew: async (tokens) => void renewed.push(tokens),
    keep: async () => true,
    release: async () => undefined,
    releaseAll: () => expect.fail("nobody starts"),
  };
  const clock = { now: () => new Date() };
  const idempotency = createIdempotency({
    idempotentAnswers: answers,
    clock,
    onFault: (error) => expect.fail(String(error)),
  });
  const call = (key: string, work: Promise<{ output: { done: boolean }; accepted: boolean }>) =>
    idempotency({ subject: { accountId: "acc", slot: 1 }, key, request: new Uint8Array(32) }, () => work);
  const answer = { output: { done: true }, accepted: false };

  let finish = (): void => undefined;
  const slow = call("slow", new Promise((resolve) => (finish = () => resolve(answer))));
  const failing = call("failing", new Promise((_resolve, reject) => setTimeout(reject, 12_000, new Error("no")))).catch(
    String,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(renewed).toEqual([
    ["idm_1", "idm_2"],
    ["idm_1", "idm_2"],
  ]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await failing).toBe("Error: no");
  expect(renewed.at(-1)).toEqual(["idm_1"]);
  finish();
  expect(await slow).toEqual({ ...answer, replayed: false });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(renewed).toHaveLength(3);
});
