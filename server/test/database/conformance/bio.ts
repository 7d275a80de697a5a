import { runUpkeep } from "../../harness/look-after.ts";
import { excludeRequest, recordVisit } from "../../harness/record-visit.ts";
import { BioContent, keptBioRevisions } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, anAccount, start, unique } from "./fixtures.ts";

export function bio(store: Store): void {
  const pages = () => store.bioPages;
  const events = () => store.bioEvents;
  const forget = (now: Date) => runUpkeep(store, "forget-bio-salts", now);
  const contentOf = (displayName: string): BioContent => BioContent.parse({ displayName });
  const linked = (...ids: string[]): BioContent =>
    BioContent.parse({ links: ids.map((id) => ({ id, title: `Title of ${id}`, url: `https://example.com/${id}` })) });
  const aLink = (): string => `lnk_${unique()}`;

  async function aPage(content: BioContent = contentOf("Ana"), now = start) {
    const account = await anAccount(store);
    const { id } = await pages().change(account.id, () => content, now);
    if (id === undefined) throw new Error("the page has no id");
    return { accountId: account.id, bioId: id };
  }
  const click = (bioId: string, seconds: number, linkId: string, visitor = 1) =>
    recordVisit(events(), { bioId, linkId, visitor: new Uint8Array(8).fill(visitor), at: after(seconds) });

  describe("bio pages", () => {
    test("stay as they are when nothing is decided or deciding fails", async () => {
      const { accountId } = await aPage(contentOf("Ana"));
      const before = await pages().read(accountId);
      expect(await pages().change(accountId, () => undefined, after(9))).toEqual(before);
      const refuse = () => {
        throw new Error("no");
      };
      await expect(pages().change(accountId, refuse, after(9))).rejects.toThrow("no");
      expect(await pages().read(accountId)).toEqual(before);
      const fresh = await anAccount(store);
      await expect(pages().change(fresh.id, refuse, start)).rejects.toThrow("no");
      expect(await pages().read(fresh.id)).toMatchObject({ id: undefined, revision: 0 });
    });

    test("change one after the other, also the first time", async () => {
      const account = await anAccount(store);
      const append = (letter: string) => (page: { content: BioContent }) =>
        contentOf(`${page.content.displayName ?? ""}${letter}`);
      const letters = "abcdefghij".split("");
      const changedPages = await Promise.all(
        letters.map((letter) => pages().change(account.id, append(letter), start)),
      );
      expect(changedPages.map(({ revision }) => revision).toSorted((one, other) => one - other)).toEqual(
        letters.map((_, index) => index + 1),
      );
      const { content, revision } = await pages().read(account.id);
      expect((content.displayName ?? "").split("").toSorted()).toEqual(letters);
      expect(revision).toBe(10);
    });

    test(`keep the last ${keptBioRevisions} revisions`, async () => {
      const { accountId } = await aPage(contentOf("1"));
      const keptRevisions = async () => {
        const revisions = [];
        for (let revision = 0; revision <= keptBioRevisions + 2; revision += 1)
          if ((await pages().readRevision(accountId, revision)) !== undefined) revisions.push(revision);
        return revisions;
      };
      expect(await keptRevisions()).toEqual([0, 1]);
      for (let revision = 2; revision <= keptBioRevisions + 1; revision += 1)
        await pages().change(accountId, () => contentOf(String(revision)), start);
      expect(await keptRevisions()).toEqual(Array.from({ length: keptBioRevisions }, (_, index) => index + 2));
      expect(await pages().readRevision(accountId, 7)).toEqual(contentOf("7"));
      expect(await pages().readRevision(accountId, 2 ** 40)).toBeUndefined();
    });
  });

  describe("bio events", () => {
    test("count one click per visitor, link and hour under concurrency", async () => {
      const one = aLink();
      const two = aLink();
      const { bioId } = await aPage(linked(one, two));
      const racers = Array.from({ length: 10 }, () => click(bioId, 0, one));
      expect((await Promise.all(racers)).toSorted()).toEqual([
        "counted",
        ...Array.from({ length: 9 }, () => "repeated"),
      ]);
      expect(await click(bioId, 3_599, one)).toBe("repeated");
      expect(await click(bioId, 3_599, two)).toBe("counted");
      expect(await click(bioId, 3_599, one, 2)).toBe("counted");
      expect(await click(bioId, 3_600, one), "a repeated click does not begin a new hour").toBe("counted");
      await forget(after(3_600 + 3_599));
      expect(await click(bioId, 3_600 + 3_599, one)).toBe("repeated");
      await forget(after(7_200));
      expect(await click(bioId, 7_200, one)).toBe("counted");
    });

    test("that are left out are reported for one's page and requested days", async () => {
      const { accountId, bioId } = await aPage();
      const other = await aPage();
      for (const day of ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"])
        await excludeRequest(events(), bioId, "owner", new Date(day));
      const days = { earliest: "2026-02-26", from: "2026-02-28", to: "2026-03-01" };
      const none = { bots: 0, prefetch: 0, owner: 0, floods: 0 };
      expect((await events().read(accountId, days)).excluded).toEqual({ ...none, owner: 2 });
      expect((await events().read(other.accountId, days)).excluded).toEqual(none);
    });

    test("share one daily salt, deleted an hour after the day", async () => {
      const salt = (fill: number) => new Uint8Array(32).fill(fill);
      const ask = async (name: string, fill: number) => [...(await events().saltOf(name, salt(fill)))];
      const racers = await Promise.all([1, 2, 3, 4].map((fill) => ask("2026-03-01", fill)));
      expect(new Set(racers.map(String)).size).toBe(1);
      expect(await ask("2026-03-01", 9)).toEqual(racers[0]);
      expect(await ask("2026-03-02", 9)).toEqual([...salt(9)]);
      await forget(new Date("2026-03-02T00:59:59.999Z"));
      expect(await ask("2026-03-01", 8)).toEqual(racers[0]);
      await forget(new Date("2026-03-02T01:00:00.000Z"));
      expect(await ask("2026-03-01", 8)).toEqual([...salt(8)]);
      expect(await ask("2026-03-02", 8)).toEqual([...salt(9)]);
    });
  });
}
