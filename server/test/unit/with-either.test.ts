import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { withEither } from "../../src/run/json-schema.ts";

const untilAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener("abort", () => resolve(signal.reason));
  });

test.each([0, 1])("ends with signal %i, also when that had ended before", async (index) => {
  const controllers = [new AbortController(), new AbortController()] as const;
  const [one, other] = controllers;
  const work = withEither(one.signal, other.signal, untilAborted);
  controllers[index]?.abort("enough");
  expect(await work).toBe("enough");
  expect(await withEither(one.signal, other.signal, untilAborted)).toBe("enough");
});

test("leaves nothing behind on signals that live on, whether the work is done or fails", async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  expect(await withEither(one.signal, other.signal, async ({ aborted }) => aborted)).toBe(false);
  await expect(withEither(one.signal, other.signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  for (const { signal } of [one, other]) expect(getEventListeners(signal, "abort")).toEqual([]);
});
