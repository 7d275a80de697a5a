import { runUpkeep } from "../../harness/look-after.ts";
import { excludeRequest, recordVisit } from "../../harness/record-visit.ts";
import { BioContent, keptBioRevisions } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, anAccount, start, unique } from "./fixtures.ts";

const day = 86_400;

export function bio(store: Store): void {
  const pages = () => store.bioPages;
  const events = () => store.bioEvents;
  const forget = (now: Date) => runUpkeep(store, "forget-bio-salts", now);
  const named = (displayName: string): BioContent => BioContent.parse({ displayName });
  const linked = (...ids: string[]): BioContent =>
    BioContent.parse({ links: ids.map((id) => ({ id, title: `Title of ${id}`, url: `https://example.com/${id}` })) });
  const aLink = (): string => `lnk_${unique()}`;

  async function aPage(content: BioContent = named("Ana"), now = start) {
    const account = await anAccount(store);
    const { id } = await pages().change(account.id, () => content, now);
    if (id === undefined) throw new Error("the page has no id");
    return { accountId: account.id, bioId: id };
  }
  const aVisit = (
    bioId: string,
    seconds: number,
    changes: { link?: string; visitor?: number; referrer?: string } = {},
  ) =>
    recordVisit(events(), {
      bioId,
      linkId: changes.link ?? null,
      visitor: new Uint8Array(8).fill(changes.visitor ?? 1),
      at: after(seconds),
      referrer: changes.referrer ?? null,
      country: null,
      device: "mobile",
    });
  const days = { earliest: "2026-02-26", from: "2026-02-28", to: "2026-03-01" };

  describe("bio pages", () => {
    test("are empty at revision 0 until the first change, and nobody else's", async () => {
      const account = await anAccount(store);
      const empty = {
        id: undefined,
        handle: null,
        content: BioContent.parse({}),
        revision: 0,
        updatedAt: null,
        takenDownAt: null,
      };
      expect(await pages().read(account.id)).toEqual(empty);
      expect(await pages().read("acc_\0nobody")).toEqual(empty);
      expect(await pages().readRevision(account.id, 0)).toBeUndefined();
      const content = BioContent.parse({ displayName: "ಅನಾ 🎬", bio: "two\nlines", theme: { preset: "dark" } });
      const changed = await pages().change(account.id, () => content, after(5));
      expect(changed).toEqual({
        id: expect.stringMatching(/^bio_/),
        handle: null,
        content,
        revision: 1,
        updatedAt: after(5),
        takenDownAt: null,
      });
      expect(await pages().read(account.id)).toEqual(changed);
      const other = await anAccount(store);
      expect(await pages().read(other.id)).toEqual(empty);
      expect(await pages().readRevision(other.id, 1)).toBeUndefined();
    });

    test("stay as they are when nothing is decided or deciding fails", async () => {
      const { accountId } = await aPage(named("Ana"));
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
        named(`${page.content.displayName ?? ""}${letter}`);
      const letters = "abcdefghij".split("");
      const made = await Promise.all(letters.map((letter) => pages().change(account.id, append(letter), start)));
      expect(made.map(({ revision }) => revision).toSorted((one, other) => one - other)).toEqual(
        letters.map((_, index) => index + 1),
      );
      const { content, revision } = await pages().read(account.id);
      expect((content.displayName ?? "").split("").toSorted()).toEqual(letters);
      expect(revision).toBe(10);
    });

    test("of racers that expect the same revision exactly one wins", async () => {
      const { accountId } = await aPage();
      const ifFirst = (name: string) => (page: { revision: number }) => (page.revision === 1 ? named(name) : undefined);
      const racers = Array.from({ length: 8 }, (_, index) => pages().change(accountId, ifFirst(`${index}`), start));
      const names = new Set((await Promise.all(racers)).map(({ content }) => content.displayName));
      expect(await pages().read(accountId)).toMatchObject({ revision: 2 });
      expect(names.size).toBe(1);
    });

    test(`keep the last ${keptBioRevisions} revisions`, async () => {
      const { accountId } = await aPage(named("1"));
      const kept = async () => {
        const found = [];
        for (let revision = 0; revision <= keptBioRevisions + 2; revision += 1)
          if ((await pages().readRevision(accountId, revision)) !== undefined) found.push(revision);
        return found;
      };
      expect(await kept()).toEqual([0, 1]);
      for (let revision = 2; revision <= keptBioRevisions + 1; revision += 1)
        await pages().change(accountId, () => named(String(revision)), start);
      expect(await kept()).toEqual(Array.from({ length: keptBioRevisions }, (_, index) => index + 2));
      expect(await pages().readRevision(accountId, 7)).toEqual(named("7"));
      expect(await pages().readRevision(accountId, 2 ** 40)).toBeUndefined();
    });
  });

  describe("bio events", () => {
    test("are counted by day of UTC, with zero for nothing, from the first to the last day", async () => {
      const [one, two] = [aLink(), aLink()];
      const { accountId, bioId } = await aPage(linked(one, two));
      const noon = 43_200;
      const visits: [number, Parameters<typeof aVisit>[2]][] = [
        [-4 * day + noon - 0.001, {}], // 25 February 23:59:59.999, before the earliest
        [-4 * day + noon, {}], // 26 February 00:00
        [-3 * day, { visitor: 2 }],
        [-noon - 0.001, { visitor: 3, referrer: "t.co" }], // 28 February 23:59:59.999
        [-noon, { visitor: 3 }], // 1 March 00:00
        [0, { visitor: 3, link: two }],
        [1, { visitor: 3, link: one }],
        [2, { visitor: 4, link: two }],
        [noon - 0.001, { visitor: 4 }], // 1 March 23:59:59.999
        [noon, { visitor: 5 }], // 2 March, after the last
      ];
      for (const [seconds, changes] of visits) expect(await aVisit(bioId, seconds, changes)).toBe("counted");
      expect(await events().read(accountId, days)).toEqual({
        since: "2026-03-01",
        daily: [
          { date: "2026-02-26", views: 2, clicks: 0, visitors: 2, clickers: 0 },
          { date: "2026-02-28", views: 1, clicks: 0, visitors: 1, clickers: 0 },
          { date: "2026-03-01", views: 2, clicks: 3, visitors: 2, clickers: 2 },
        ],
        links: [
          { id: two, title: `Title of ${two}`, url: `https://example.com/${two}`, clicks: 2, deleted: false },
          { id: one, title: `Title of ${one}`, url: `https://example.com/${one}`, clicks: 1, deleted: false },
        ],
        referrers: [
          { host: null, views: 2 },
          { host: "t.co", views: 1 },
        ],
        countries: [{ country: null, views: 3 }],
        devices: [{ device: "mobile", views: 3 }],
        excluded: { bots: 0, prefetch: 0, owner: 0, floods: 0 },
      });
    });

    test("keep the name of a deleted link that was clicked, forget one that was not, and know one that came back", async () => {
      const [kept, clicked, never] = [aLink(), aLink(), aLink()];
      const { accountId, bioId } = await aPage(linked(kept, clicked, never));
      await aVisit(bioId, 0, { link: clicked });
      await pages().change(accountId, () => linked(kept), after(1));
      const links = async () =>
        (await events().read(accountId, days)).links.map(({ id, clicks, deleted }) => [id, clicks, deleted]);
      expect(await links()).toEqual([
        [clicked, 1, true],
        [kept, 0, false],
      ]);
      expect(await aVisit(bioId, 2, { link: clicked, visitor: 2 }), "an old page may still show it").toBe("counted");
      await pages().change(accountId, () => linked(kept, clicked), after(3));
      expect(await links()).toEqual([
        [clicked, 2, false],
        [kept, 0, false],
      ]);
    });

    test("count one click of a visitor on a link in any hour, of any number of racers too", async () => {
      const [one, two] = [aLink(), aLink()];
      const { bioId } = await aPage(linked(one, two));
      const racers = Array.from({ length: 10 }, () => aVisit(bioId, 0, { link: one }));
      expect((await Promise.all(racers)).toSorted()).toEqual([
        "counted",
        ...Array.from({ length: 9 }, () => "repeated"),
      ]);
      expect(await aVisit(bioId, 3_599, { link: one })).toBe("repeated");
      expect(await aVisit(bioId, 3_599, { link: two })).toBe("counted");
      expect(await aVisit(bioId, 3_599, { link: one, visitor: 2 })).toBe("counted");
      expect(await aVisit(bioId, 3_600, { link: one }), "a repeated click does not begin a new hour").toBe("counted");
      await forget(after(3_600 + 3_599));
      expect(await aVisit(bioId, 3_600 + 3_599, { link: one })).toBe("repeated");
      await forget(after(7_200));
      expect(await aVisit(bioId, 7_200, { link: one })).toBe("counted");
    });

    test("need a page and a link of it", async () => {
      const link = aLink();
      const { bioId } = await aPage(linked(link));
      const other = await aPage();
      expect(await aVisit("bio_nobody", 0)).toBe("unknown");
      expect(await aVisit("bio_\0", 0)).toBe("unknown");
      expect(await aVisit(bioId, 0, { link: "lnk_none" })).toBe("unknown");
      expect(await aVisit(other.bioId, 0, { link })).toBe("unknown");
      await excludeRequest(events(), "bio_nobody", "bots", start);
    });

    test("are read by the page's account alone", async () => {
      const link = aLink();
      const { bioId } = await aPage(linked(link));
      await aVisit(bioId, 0);
      await excludeRequest(events(), bioId, "bots", start);
      const none = {
        daily: [],
        links: [],
        referrers: [],
        countries: [],
        devices: [],
        excluded: { bots: 0, prefetch: 0, owner: 0, floods: 0 },
      };
      expect(await events().read((await aPage()).accountId, days)).toEqual({ ...none, since: "2026-03-01" });
      expect(await events().read((await anAccount(store)).id, days)).toEqual({ ...none, since: null });
    });

    test("that are not counted are counted apart", async () => {
      const { accountId, bioId } = await aPage();
      const midnight = -43_200;
      await Promise.all(Array.from({ length: 5 }, () => excludeRequest(events(), bioId, "bots", start)));
      await excludeRequest(events(), bioId, "owner", after(midnight - day));
      await excludeRequest(events(), bioId, "owner", after(midnight - day - 0.001));
      await excludeRequest(events(), bioId, "prefetch", after(-midnight));
      const { excluded, daily } = await events().read(accountId, days);
      expect(excluded).toEqual({ bots: 5, prefetch: 0, owner: 1, floods: 0 });
      expect(daily).toEqual([]);
    });

    test("have one salt a day for everybody, which is thrown away an hour after the day", async () => {
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
