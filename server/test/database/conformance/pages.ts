import { beforeAll, describe, expect, test } from "vitest";
import type { ListPosition, PostAllowance, Report, Store } from "../../../src/ports.ts";
import { after, aReport, anAccount, transcribe } from "./fixtures.ts";

const sorts = ["date", "views", "engagement"] as const;
type Sort = (typeof sorts)[number];

/** Values that come several times, and none. */
const views = [300, null, 100, 100, 0, null, 300, 7, 100, null, 0, 300];

export function pages(store: Store): void {
  describe("scripts page by page", () => {
    let accountId = "";
    const add = (index: number, of = accountId) =>
      transcribe(
        store,
        of,
        {
          text: `common ${index}`,
          handle: index % 2 === 0 ? "even" : "odd",
          views: views[index % 12]!,
          likes: index,
          comments: 1,
        },
        // Three come at each moment.
        after(Math.floor(index / 3)),
      );
    beforeAll(async () => {
      accountId = (await anAccount(store)).id;
      const stranger = (await anAccount(store)).id;
      for (let index = 0; index < views.length; index += 1) {
        await add(index);
        await add(index, stranger);
      }
    });

    const page = async (of: { sort: Sort; query?: string }, limit: number, from?: ListPosition) => {
      const page = await store.scripts.search(accountId, { ...of, limit, after: from });
      return { ...page, texts: page.scripts.map(({ transcript }) => transcript.text) };
    };
    async function walk(of: Parameters<typeof page>[0], limit: number, between: () => Promise<unknown>) {
      const texts: string[] = [];
      let next: ListPosition | undefined;
      do {
        const one = await page(of, limit, next);
        expect(one.texts.length).toBeLessThanOrEqual(limit);
        texts.push(...one.texts);
        next = one.next;
        await between();
      } while (next !== undefined);
      return texts;
    }

    let added = 100;
    test.each(sorts)("by %s stay where they are while others come", async (sort) => {
      for (const query of [undefined, "common"]) {
        const of = { sort, ...(query !== undefined && { query }) };
        const allTexts = (await page(of, 50)).texts;
        const texts = await walk(of, 4, () => add((added += 1)));
        expect(texts.filter((text) => allTexts.includes(text))).toEqual(allTexts);
        expect(new Set(texts).size).toBe(texts.length);
      }
    });

    test("go on from any position without a fault", async () => {
      for (const sort of sorts)
        for (const sortedBy of [null, -6.2e13, -1, 0.5, 1e-300, 8.64e15])
          for (const number of [Number.MIN_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER])
            for (const query of [undefined, "common"])
              expect(
                await page({ sort, ...(query !== undefined && { query }) }, 2, { sortedBy, number }),
              ).toHaveProperty("total");
    });
  });

  describe("reports page by page", () => {
    test("are all there once and in order, whatever comes meanwhile", async () => {
      const { id } = await anAccount(store);
      const allowance: PostAllowance = { accountId: id, period: "lifetime", limit: null };
      const add = async (seconds: number) => {
        const report = aReport({ createdAt: after(seconds) });
        return ((await store.reports.add(allowance, report)) as Report).id;
      };
      for (const seconds of [3, 1, 1, 2, 1, -9, 3]) await add(seconds);
      let newest = 100;
      for (const limit of [1, 2, 3, 7, 50]) {
        const all = (await store.reports.list(id, { limit: 200 })).reports.map((report) => report.id);
        const ids: string[] = [];
        let next: ListPosition | undefined;
        do {
          const page = await store.reports.list(id, { limit, after: next });
          expect(page.reports.length).toBeLessThanOrEqual(limit);
          ids.push(...page.reports.map((report) => report.id));
          next = page.next;
          await add((newest += 1));
        } while (next !== undefined);
        expect(ids, String(limit)).toEqual(all);
      }
    });
  });
}
