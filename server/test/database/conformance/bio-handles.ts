import { BioContent, bioHandleLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, anAccount, start, unique } from "./fixtures.ts";

const day = 86_400;

export function bioHandles(store: Store): void {
  const aHandle = (): string => `h${unique()}`;
  const accountId = async (): Promise<string> => (await anAccount(store)).id;
  const claim = (account: string, handle: string | null, seconds = 0) =>
    store.bioPages.claimHandle(account, handle, after(seconds));
  const handleOf = async (account: string) => (await store.bioPages.read(account)).handle;

  describe("handles of bio pages", () => {
    test("are claimed, changed and given up without a revision, and leave the content alone", async () => {
      const account = await accountId();
      const content = BioContent.parse({ displayName: "Ana" });
      const before = await store.bioPages.change(account, () => content, start);
      const [one, two] = [aHandle(), aHandle()];
      expect(await claim(account, one)).toEqual({ ...before, handle: one });
      expect(await claim(account, one, 1)).toEqual({ ...before, handle: one });
      expect(await claim(account, two, 2)).toEqual({ ...before, handle: two });
      expect(await store.bioPages.read(account)).toEqual({ ...before, handle: two });
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

    test("are kept for their account for 90 days, which may have them back meanwhile", async () => {
      const [owner, other] = [await accountId(), await accountId()];
      const [first, second] = [aHandle(), aHandle()];
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

    test("lead to the present one in one step, to nobody else's, and to nothing once they are free", async () => {
      const resolve = (handle: string, seconds: number) => store.publicBioPages.resolve(handle, after(seconds));
      const owner = await accountId();
      const [first, second, third] = [aHandle(), aHandle(), aHandle()];
      expect(await resolve(first, 0)).toEqual({ kind: "free" });
      for (const [index, handle] of [first, second, third].entries()) await claim(owner, handle, index);
      expect(await resolve(third, 3), "not published yet").toEqual({ kind: "kept" });
      await store.bioPages.change(owner, () => BioContent.parse({ displayName: "Ana" }), after(3));
      const { id, revision } = await store.bioPages.read(owner);
      expect(await resolve(third, 3)).toEqual({ kind: "page", bioId: id, revision });
      for (const former of [first, second]) expect(await resolve(former, 3)).toEqual({ kind: "moved", handle: third });
      expect(await resolve(first, 1 + bioHandleLimits.keptDays * day)).toEqual({ kind: "free" });
      await claim(owner, null, 4);
      for (const former of [second, third]) expect(await resolve(former, 5)).toEqual({ kind: "kept" });
      await claim(owner, second, 6);
      expect(await resolve(second, 7)).toEqual({ kind: "page", bioId: id, revision });
      expect(await resolve(third, 7)).toEqual({ kind: "moved", handle: second });
      await store.accounts.remove(owner, after(8));
      for (const handle of [second, third]) expect(await resolve(handle, 9)).toEqual({ kind: "kept" });
      expect(await store.publicBioPages.read(id ?? "")).toBeUndefined();
    });

    test("show links of pages that have one, and no others", async () => {
      const owner = await accountId();
      const link = { id: `lnk_${unique()}`, title: "Shop", url: "https://example.com/" };
      const write = (links: unknown[], seconds: number) =>
        store.bioPages.change(owner, () => BioContent.parse({ links }), after(seconds));
      const find = () => store.publicBioPages.findLink(link.id);
      const { id } = await write([link], 1);
      expect(await find()).toBeUndefined();
      const handle = aHandle();
      await claim(owner, handle, 2);
      expect(await find()).toMatchObject({ bioId: id, handle, link });
      await write([], 3);
      expect(await find()).toBeUndefined();
      expect(await store.publicBioPages.findLink("lnk_\0'--")).toBeUndefined();
    });

    test(`cannot be hoarded: at most ${bioHandleLimits.kept} are kept for one account`, async () => {
      const account = await accountId();
      const handles = Array.from({ length: bioHandleLimits.kept + 1 }, aHandle);
      for (const handle of handles) expect(await claim(account, handle)).toMatchObject({ handle });
      expect(await claim(account, aHandle(), 1)).toBe("tooOften");
      expect(await claim(account, handles[0] ?? "", 1), "a former one").toMatchObject({ handle: handles[0] });
      expect(await claim(account, null, 2), "giving up").toMatchObject({ handle: null });
      expect(await claim(account, aHandle(), 3)).toBe("tooOften");
      expect(await claim(account, aHandle(), 1 + bioHandleLimits.keptDays * day)).toMatchObject({ revision: 0 });
    });
  });
}
