import { expect, test } from "vitest";
import { shareChecks } from "../../src/admin/checks/check-parts.ts";
import type { ServicePart } from "../../src/ports.ts";

const well: ServicePart = { subject: "storage", state: "ok", text: "Well." };

test("those who look share one test, and don't wait for one that hangs", async () => {
  let begun = 0;
  let finish = (_findings: readonly ServicePart[]): void => undefined;
  const look = shareChecks(() => {
    begun += 1;
    return new Promise((resolve) => (finish = resolve));
  });
  const looks = await Promise.all([look(), look(), look()]);
  expect(looks.flat()).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ state: "note" })));
  expect(begun, "another one isn't begun meanwhile").toBe(1);
  finish([well]);
  expect(await look()).toEqual([well]);
  expect(await look()).toEqual([well]);
  expect(begun).toBe(1);
});

test("a test that fails is a finding", async () => {
  const look = shareChecks(() => Promise.reject(new Error("no library")));
  expect(await look()).toEqual([{ subject: "checks", state: "wrong", text: "They failed: no library" }]);
});
