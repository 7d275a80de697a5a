import { bioHandleLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, anAccount, unique } from "./fixtures.ts";

const day = 86_400;

export function bioHandles(store: Store): void {
  const aHandle = (): string => `h${unique()}`;
  const accountId = async (): Promise<string> => (await anAccount(store)).id;
  const claim = (account: string, handle: string | null, seconds = 0) =>
    store.bioPages.claimHandle(account, handle, after(seconds));
  const handleOf = async (account: string) => (await store.bioPages.read(account)).handle;

  describe("handles of bio pages", () => {
    test("go to exactly one of many racers", async () => {
      const handle = aHandle();
      const accounts = await Promise.all(Array.from({ length: 8 }, accountId));
      const outcomes = await Promise.all(accounts.map((account) => claim(account, handle)));
      expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(7);
      const handles = await Promise.all(accounts.map(handleOf));
      expect(handles.filter((one) => one === handle)).toHaveLength(1);
    });

    test("given up during concurrent claims aren't assigned to anybody else", async () => {
      const [owner, ...others] = await Promise.all(Array.from({ length: 7 }, accountId));
      const handle = aHandle();
      await claim(owner ?? "", handle);
      const [gaveUp, ...outcomes] = await Promise.all([
        claim(owner ?? "", null, 1),
        ...others.map((account) => claim(account, handle, 1)),
      ]);
      expect(gaveUp).toMatchObject({ handle: null });
      expect(outcomes).toEqual(others.map(() => "taken"));
    });

    test("are reserved for their account for 90 days, and can be reclaimed", async () => {
      const owner = await accountId();
      const other = await accountId();
      const first = aHandle();
      const second = aHandle();
      await claim(owner, first);
      await claim(owner, second, 10);
      const end = 10 + bioHandleLimits.keptDays * day;
      expect(await claim(other, first, end - 1)).toBe("taken");
      expect(await claim(owner, first, end - 1), "its own again").toMatchObject({ handle: first });
      expect(await claim(other, second, end), "kept from the change on").toBe("taken");
      expect(await claim(other, first, 2 * end), "in use, not kept").toBe("taken");
      expect(await claim(other, second, 2 * end)).toMatchObject({ handle: second });
      expect(await handleOf(owner)).toBe(first);
    });
  });
}
