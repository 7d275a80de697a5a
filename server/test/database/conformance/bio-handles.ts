import { BioContent, bioHandleLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { after, anAccount, start, unique, type Subject } from "./fixtures.ts";

const day = 86_400;

export function bioHandles({ store }: Subject): void {
  const aHandle = (): string => `h${unique()}`;
  const accountId = async (): Promise<string> => (await anAccount(store())).id;
  const claim = (account: string, handle: string | null, seconds = 0) =>
    store().bioPages.claimHandle(account, handle, after(seconds));
  const handleOf = async (account: string) => (await store().bioPages.read(account)).handle;

  describe("handles of bio pages", () => {
    test("are claimed, changed and given up without a revision, and leave the content alone", async () => {
      const account = await accountId();
      const content = BioContent.parse({ displayName: "Ana" });
      const before = await store().bioPages.change(account, () => content, start);
      const [one, two] = [aHandle(), aHandle()];
      expect(await claim(account, one)).toEqual({ ...before, handle: one });
      expect(await claim(account, one, 1)).toEqual({ ...before, handle: one });
      expect(await claim(account, two, 2)).toEqual({ ...before, handle: two });
      expect(await store().bioPages.read(account)).toEqual({ ...before, handle: two });
      expect(await claim(account, null, 3)).toEqual(before);
      expect(await claim(account, null, 4)).toEqual(before);
      const fresh = await accountId();
      expect(await claim(fresh, aHandle())).toMatchObject({ id: expect.stringMatching(/^bio_/), revision: 0 });
    });

    test("go to exactly one of many racers", async () => {
      const handle = aHandle();
      const accounts = await Promise.all(Array.from({ length: 8 }, accountId));
      const outcomes = await Promise.all(accounts.map((account) => claim(account, handle)));
      expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(7);
      const handles = await Promise.all(accounts.map(handleOf));
      expect(handles.filter((one) => one === handle)).toHaveLength(1);
    });

    test("that are given up while others claim them are got by nobody else", async () => {
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

    test("are held for their account for 14 days, which may have them back meanwhile", async () => {
      const [owner, other] = [await accountId(), await accountId()];
      const [first, second] = [aHandle(), aHandle()];
      await claim(owner, first);
      await claim(owner, second, 10);
      const end = 10 + bioHandleLimits.heldDays * day;
      expect(await claim(other, first, end - 1)).toBe("taken");
      expect(await claim(owner, first, end - 1), "its own again").toMatchObject({ handle: first });
      expect(await claim(other, second, end), "held from the change on").toBe("taken");
      expect(await claim(other, first, end + 30 * day), "in use, not held").toBe("taken");
      expect(await claim(other, second, end + 30 * day)).toMatchObject({ handle: second });
      expect(await handleOf(owner)).toBe(first);
    });

    test(`cannot be hoarded: at most ${bioHandleLimits.held} are held for one account`, async () => {
      const account = await accountId();
      const handles = Array.from({ length: bioHandleLimits.held + 1 }, aHandle);
      for (const handle of handles) expect(await claim(account, handle)).toMatchObject({ handle });
      expect(await claim(account, aHandle(), 1)).toBe("tooOften");
      expect(await claim(account, handles[0] ?? "", 1), "a former one").toMatchObject({ handle: handles[0] });
      expect(await claim(account, null, 2), "giving up").toMatchObject({ handle: null });
      expect(await claim(account, aHandle(), 3)).toBe("tooOften");
      expect(await claim(account, aHandle(), 1 + bioHandleLimits.heldDays * day)).toMatchObject({ revision: 0 });
    });
  });
}
