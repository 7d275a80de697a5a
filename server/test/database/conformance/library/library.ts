import { describe, expect, test } from "vitest";
import type { ListPosition, Store } from "../../../../src/ports.ts";
import { after, anAccount, transcribe } from "../fixtures.ts";

export function library(store: Store): void {
  describe("the accounts of a library", () => {
    test("are distinguished ignoring case; the total includes scripts without one", async () => {
      const { id } = await anAccount(store);
      for (const handle of ["b.two", "B.Two", "once", null]) await transcribe(store, id, { handle });
      const { handles, total } = await store.scripts.handles(id);
      expect([handles.map(({ scripts }) => scripts), total]).toEqual([[2, 1], 4]);
    });
  });

  describe("a library that is read unread", () => {
    const lengthsOfPages = async (accountId: string): Promise<number[]> => {
      const lengths: number[] = [];
      const ids = new Set<string>();
      let after: ListPosition | undefined;
      do {
        const page = await store.scripts.listUnread(accountId, after);
        lengths.push(page.scripts.length);
        for (const { id } of page.scripts) ids.add(id);
        after = page.next;
      } while (after !== undefined);
      expect(ids.size).toBe(lengths.reduce((sum, length) => sum + length, 0));
      return lengths;
    };

    test("comes in pages of about a megabyte, and nothing is left out", async () => {
      const { id } = await anAccount(store);
      expect(await lengthsOfPages(id)).toEqual([0]);
      const text = "The dough rests. ".repeat(5_882).trimEnd();
      for (let index = 0; index < 25; index += 1) await transcribe(store, id, { text }, after(index));
      expect(await lengthsOfPages(id)).toEqual([11, 11, 3]);
    });

    test("comes in pages of a hundred short scripts, newest first", async () => {
      const { id } = await anAccount(store);
      for (let index = 0; index < 102; index += 1) await transcribe(store, id, { text: `${index}` }, after(index));
      expect(await lengthsOfPages(id)).toEqual([100, 2]);
      const { scripts } = await store.scripts.listUnread(id);
      expect(scripts[0]).toMatchObject({ transcript: { text: "101" }, gaps: "[]", words: null });
    });
  });

  describe("a script that is removed", () => {
    test("leaves no gap and no repetition for who reads page by page", async () => {
      const { id } = await anAccount(store);
      for (let index = 0; index < 6; index += 1) await transcribe(store, id, { text: `${index}` }, after(index));
      const page = async (from?: { sortedBy: number | null; number: number }) =>
        store.scripts.search(id, { sort: "date", limit: 2, after: from });
      const first = await page();
      // The last of the page is where the next one continues.
      await store.deletedScripts.delete(id, [first.scripts[1]!.id], after(100));
      const second = await page(first.next);
      expect(second).toMatchObject({
        total: 5,
        scripts: [{ transcript: { text: "3" } }, { transcript: { text: "2" } }],
      });
    });
  });
}
