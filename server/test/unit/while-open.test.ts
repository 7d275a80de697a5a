import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createWhileOpen } from "../../src/run/admission.ts";

test("work ends when the service closes, and so does later work", async () => {
  const closing = new AbortController();
  const whileOpen = createWhileOpen(closing.signal);
  const under = new AbortController();
  const way = new AbortController();
  const later = new AbortController();
  const ended = whileOpen(under, () => new Promise((resolve) => under.signal.addEventListener("abort", resolve)));
  expect(await whileOpen(way, async () => "done")).toBe("done");
  await expect(whileOpen(way, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  closing.abort("enough");
  await ended;
  expect([under.signal.reason, way.signal.aborted]).toEqual(["enough", false]);
  expect(await whileOpen(later, async () => later.signal.reason)).toBe("enough");
  expect(getEventListeners(closing.signal, "abort")).toHaveLength(1);
});
