import { aVisit, recordVisit } from "../../harness/record-visit.ts";
import { BioContent } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { BioVisit, Store } from "../../../src/ports.ts";
import { anAccount, start, unique } from "./fixtures.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** 00:00 of UTC; each test takes a year of its own, because folding goes through all pages. */
const midnight = (year: number): number => Date.parse(`${year}-03-01T00:00:00Z`);
const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

export function bioFolding(store: Store): void {
  const events = () => store.bioEvents;
  const foldAll = async (now: number): Promise<number> => {
    let folded = 0;
    while (await events().fold(new Date(now))) folded += 1;
    return folded;
  };

  const numbered = (number: number): Uint8Array => new Uint8Array(new BigUint64Array([BigInt(number)]).buffer);

  async function aPage(first: number) {
    const { id: accountId } = await anAccount(store);
    const ids = [`lnk_${unique()}`, `lnk_${unique()}`];
    const links = ids.map((id) => ({ id, title: id, url: "https://example.com/" }));
    const { id: bioId = "" } = await store.bioPages.change(accountId, () => BioContent.parse({ links }), start);
    return {
      ids,
      write: (visits: readonly Pick<BioVisit, "at" | "visitor">[]) =>
        events().write(
          { id: unique(), visits: visits.map((visit) => aVisit({ bioId, ...visit })), excluded: [] },
          start,
        ),
      visit: (at: number, visitor: number, changes: Partial<BioVisit> = {}) =>
        recordVisit(events(), { bioId, visitor: new Uint8Array(8).fill(visitor), at: new Date(at), ...changes }),
      read: (from: number, to: number) =>
        events().read(accountId, { earliest: dayOf(first), from: dayOf(from), to: dayOf(to) }),
    };
  }

  /** Three days of visits of every kind, the last one today. */
  async function aBusyPage(first: number) {
    const page = await aPage(first);
    const [one = "", two = ""] = page.ids;
    for (const [at, visitor, changes] of [
      [0, 1, { referrer: "t.co", country: "IN" }],
      [1, 1, { linkId: one }],
      [2, 2, { country: "PT", device: "desktop" }],
      [3, 2, {}],
      [day - 1, 3, { linkId: two }],
      [day, 1, { referrer: "t.co" }],
      [day + 1, 1, { linkId: one, referrer: "t.co" }],
      [day + 2, 4, { linkId: one }],
      [3 * day, 5, { referrer: "instagram.com" }],
      [3 * day + 1, 5, { linkId: two }],
    ] as [number, number, Partial<BioVisit>][])
      expect(await page.visit(first + at, visitor, changes)).toBe("counted");
    return page;
  }

  describe("folding of bio events", () => {
    test("leaves every figure as it was, of any days, and counts on", async () => {
      const first = midnight(2001);
      const now = first + 3 * day + hour;
      const page = await aBusyPage(first);
      const other = await aBusyPage(first);
      const ranges = [0, 1, 2, 3].flatMap((from) => [0, 1, 2, 3].map((to) => [from, to] as const));
      const readAll = () => Promise.all(ranges.map(([from, to]) => page.read(first + from * day, first + to * day)));
      const before = await readAll();
      expect(before.at(3), "the whole").toMatchObject({
        daily: [
          { date: "2001-03-01", views: 3, clicks: 2, visitors: 3, clickers: 2 },
          { date: "2001-03-02", views: 1, clicks: 2, visitors: 2, clickers: 2 },
          { date: "2001-03-04", views: 1, clicks: 1, visitors: 1, clickers: 1 },
        ],
        countries: [
          { country: null, views: 3 },
          { country: "IN", views: 1 },
          { country: "PT", views: 1 },
        ],
      });
      expect(await foldAll(now), "the events, and one day of two pages").toBe(3);
      expect(await readAll()).toEqual(before);
      expect(await foldAll(now), "nothing is left").toBe(0);
      expect(await foldAll(now + day), "the last events, and one day of two pages").toBe(3);
      expect(await readAll()).toEqual(before);
      await other.visit(now, 9);
      expect(await readAll()).toEqual(before);
      // One that was folded and one that is new, whose events are folded in their turn.
      await page.visit(now, 5);
      await page.visit(now + 1, 6);
      const whole = { views: 3, visitors: 2, clicks: 1, clickers: 1 };
      expect((await page.read(first, now)).daily.at(-1)).toMatchObject(whole);
      await foldAll(now + hour + 1);
      expect((await page.read(first, now)).daily.at(-1)).toMatchObject(whole);
      await page.visit(now + 2, 6, { linkId: page.ids[0] ?? "" });
      const clicked = { views: 3, visitors: 2, clicks: 2, clickers: 2 };
      expect((await page.read(first, now)).daily.at(-1)).toMatchObject(clicked);
      await foldAll(now + 30 * day);
      expect((await page.read(first, now)).daily.at(-1)).toMatchObject(clicked);
    });

    test("waits an hour or for 5,000 events, and closes after 48 hours", async () => {
      const first = midnight(2002);
      const page = await aPage(first);
      await page.visit(first, 1);
      expect(await events().fold(new Date(first + hour - 1))).toBe(false);
      expect(await events().fold(new Date(first + hour))).toBe(true);
      await page.visit(first + 1, 1);
      expect(await foldAll(first + 3 * day - 1)).toBe(1);
      const { daily } = await page.read(first, first);
      expect(daily).toEqual([{ date: "2002-03-01", views: 2, clicks: 0, visitors: 1, clickers: 0 }]);
      expect(await foldAll(first + 3 * day)).toBe(1);
      await page.visit(first + 2, 1);
      await foldAll(first + 3 * day);
      expect((await page.read(first, first)).daily, "one that came late is added").toEqual([
        { date: "2002-03-01", views: 3, clicks: 0, visitors: 2, clickers: 0 },
      ]);
    });

    test("of a busy page takes 5,000 events before they are old", async () => {
      const first = midnight(2005);
      const page = await aPage(first);
      const crowd = Array.from({ length: 5_001 }, (_, index) => ({ at: new Date(first), visitor: numbered(index) }));
      const come = async (): Promise<void> => {
        for (let from = 0; from < crowd.length; from += 2_000) await page.write(crowd.slice(from, from + 2_000));
      };
      await come();
      const before = await page.read(first, first);
      expect(before.daily).toEqual([{ date: "2005-03-01", views: 5_001, clicks: 0, visitors: 5_001, clickers: 0 }]);
      expect(await foldAll(first)).toBe(1);
      expect(await page.read(first, first)).toEqual(before);
      await come();
      expect(await foldAll(first), "of people who were counted").toBe(1);
      const again = await page.read(first, first);
      expect(again.daily).toEqual([{ date: "2005-03-01", views: 10_002, clicks: 0, visitors: 5_001, clickers: 0 }]);
      expect(await foldAll(first + 3 * day), "the last two, and the visitors in two parts").toBe(3);
      expect(await page.read(first, first)).toEqual(again);
    });

    test("by many at once counts nothing twice and loses nothing", async () => {
      const first = midnight(2003);
      const pages = await Promise.all([1, 2, 3, 4].map(() => aBusyPage(first)));
      const readAll = () => Promise.all(pages.map((page) => page.read(first, first + 4 * day)));
      const before = await readAll();
      const folded = await Promise.all(Array.from({ length: 6 }, () => foldAll(first + 30 * day)));
      // A call that finds another one at work leaves the rest to it.
      expect(folded.reduce((sum, count) => sum + count, 0)).toBe(13);
      expect(await readAll()).toEqual(before);
    });

    test("keeps a day's 50 most frequent site names, and all views", async () => {
      const first = midnight(2004);
      const page = await aPage(first);
      const hosts = Array.from({ length: 52 }, (_, index) => `site-${String(index).padStart(2, "0")}.example`);
      for (const host of hosts) await page.visit(first, 1, { referrer: host });
      await page.visit(first, 1, { referrer: hosts[51] ?? "" });
      await page.visit(first, 1);
      await foldAll(first + 3 * day);
      await page.visit(first + day, 1, { referrer: hosts[50] ?? "" });
      const { referrers, daily } = await page.read(first, first + day);
      expect(daily.map(({ views }) => views)).toEqual([54, 1]);
      expect(referrers).toHaveLength(50);
      expect(referrers[0]).toEqual({ host: hosts[51], views: 2 });
      expect(referrers.map(({ host }) => host)).not.toContain("");
      await foldAll(first + 30 * day);
    });
  });
}
