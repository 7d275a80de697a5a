import { describe, expect, test } from "vitest";
import type { Store } from "../../../../src/ports.ts";
import { after, anAccount, anAllowance, aReel, ask, mustClaim, start, transcribe, transcriptOf } from "../fixtures.ts";

export function library(store: Store): void {
  describe("the accounts of a library", () => {
    test("are counted without case, most scripts first, and scripts without one in the total", async () => {
      const { id } = await anAccount(store);
      const stranger = await anAccount(store);
      expect(await store.scripts.handles(id)).toEqual({ handles: [], total: 0 });
      for (const handle of ["b.two", "once", null, "a.two", "B.Two", "a.two", null])
        await transcribe(store, id, { handle });
      const { reel } = await transcribe(store, stranger.id, { handle: "once" });
      await transcribe(store, stranger.id, { handle: "theirs" });
      await store.transcriptions.takeCached(reel, anAllowance(id), after(1));
      const { handles, total } = await store.scripts.handles(id);
      expect(handles.map(({ handle, scripts }) => [handle.toLowerCase(), scripts])).toEqual([
        ["a.two", 2],
        ["b.two", 2],
        ["once", 2],
      ]);
      expect(total).toBe(8);
      for (const nobody of ["acc_nobody", "\0", ""])
        expect(await store.scripts.handles(nobody)).toEqual({ handles: [], total: 0 });
    });
  });

  describe("scripts of a language and a length", () => {
    test("are found together with words and handle, counted exactly, and never of another library", async () => {
      const [owner, stranger] = [await anAccount(store), await anAccount(store)];
      const add = async (accountId: string, language: string, seconds: number, handle = "one") => {
        const reel = aReel();
        await ask(store, reel, anAllowance(accountId, { limit: 100 }));
        const transcript = { ...transcriptOf(reel, { text: `said in ${language}`, handle }), language, seconds };
        expect(await store.transcriptions.complete(await mustClaim(store), transcript, true, start)).toBe(true);
      };
      expect(await store.scripts.kinds(owner.id)).toEqual([]);
      for (const [language, seconds, handle] of [
        ["en", 29.9, "one"],
        ["en", 30, "two"],
        ["en", 59.99, "one"],
        ["ta", 60, "one"],
        ["ta", 180, "one"],
        ["und", 0, "two"],
      ] as const)
        await add(owner.id, language, seconds, handle);
      await add(stranger.id, "ta", 61);
      const total = async (search: Omit<Parameters<Store["scripts"]["search"]>[1], "sort" | "limit">) => {
        const found = await store.scripts.search(owner.id, { ...search, sort: "date", limit: 1 });
        expect(found.scripts).toHaveLength(Math.min(found.total, 1));
        return found.total;
      };
      expect(await total({ language: "en" })).toBe(3);
      expect(await total({ language: "und" })).toBe(1);
      expect(await total({ language: "de" })).toBe(0);
      expect(await total({ language: "'\\\0" })).toBe(0);
      expect([
        await total({ length: "under30s" }),
        await total({ length: "30to60s" }),
        await total({ length: "1to3min" }),
        await total({ length: "over3min" }),
      ]).toEqual([2, 2, 1, 1]);
      expect(await total({ language: "en", length: "30to60s" })).toBe(2);
      expect(await total({ language: "en", length: "30to60s", handle: "@One" })).toBe(1);
      expect(await total({ language: "ta", query: "said" })).toBe(2);
      expect(await total({ language: "ta", query: "en" })).toBe(0);
      expect(await total({ query: "30to60s" }), "no word of a text").toBe(0);
      const kinds = (await store.scripts.kinds(owner.id)) ?? [];
      const sum = (language: string) =>
        kinds.filter((kind) => kind.language === language).reduce((all, { scripts }) => all + scripts, 0);
      expect([sum("en"), sum("ta"), sum("und")]).toEqual([3, 2, 1]);
      expect(kinds.filter(({ length }) => length === "over3min")).toEqual([
        { language: "ta", platform: "standin", length: "over3min", scripts: 1 },
      ]);
    });
  });

  describe("scripts of given reels", () => {
    test("are found in the account's own library alone", async () => {
      const [owner, stranger] = [await anAccount(store), await anAccount(store)];
      const { reel } = await transcribe(store, owner.id, { text: "found by its reel" });
      await transcribe(store, owner.id, { text: "another" });
      const found = (accountId: string, platform: string, mediaIds: readonly string[]) =>
        store.scripts.findOfReels(accountId, platform, mediaIds);
      const [script] = (await store.scripts.search(owner.id, { query: "found", sort: "date", limit: 1 })).scripts;
      expect(await found(owner.id, reel.platform, [reel.mediaId, "none", "\0"])).toEqual([
        { id: script!.id, mediaId: reel.mediaId, language: script!.transcript.language, text: "found by its reel" },
      ]);
      for (const [accountId, platform, mediaIds] of [
        [stranger.id, reel.platform, [reel.mediaId]],
        [owner.id, "elsewhere", [reel.mediaId]],
        [owner.id, reel.platform, []],
        ["\0", reel.platform, [reel.mediaId]],
      ] as const)
        expect(await found(accountId, platform, mediaIds)).toEqual([]);
    });
  });

  describe("scripts that are removed together", () => {
    test("are the account's own, and leave its counts", async () => {
      const [owner, stranger] = [await anAccount(store), await anAccount(store)];
      for (const text of ["one", "two", "three"]) await transcribe(store, owner.id, { text });
      const list = () => store.scripts.search(owner.id, { sort: "date", limit: 10 });
      const [first, second, third] = (await list()).scripts.map(({ id }) => id);
      expect(await store.scripts.removeSeveral(stranger.id, [first!, second!])).toEqual([]);
      const removed = await store.scripts.removeSeveral(owner.id, [first!, third!, third!, "scr_nothing", "\0"]);
      expect(new Set(removed)).toEqual(new Set([first, third]));
      expect(await list()).toMatchObject({ total: 1, scripts: [{ id: second }] });
      expect((await store.scripts.handles(owner.id)).total).toBe(1);
      expect(await store.scripts.removeSeveral(owner.id, [])).toEqual([]);
    });
  });

  describe("a script that is removed", () => {
    test("is gone from lists, searches and counts, stays in the cache, and comes back when asked for", async () => {
      const { id } = await anAccount(store);
      const stranger = await anAccount(store);
      const { reel } = await transcribe(store, id, { text: "gone tomorrow", handle: "cook" });
      await transcribe(store, id, { text: "here tomorrow", handle: "cook" });
      await store.transcriptions.takeCached(reel, anAllowance(stranger.id), after(1));
      const search = (of: string, query?: string) => store.scripts.search(of, { query, sort: "date", limit: 10 });
      const [found] = (await search(id, "gone")).scripts;
      for (const [accountId, scriptId] of [
        [stranger.id, found!.id],
        ["\0", found!.id],
        [id, "scr_nothing"],
        [id, "\0"],
      ] as const)
        expect(await store.scripts.remove(accountId, scriptId)).toBe(false);
      expect(await store.scripts.remove(id, found!.id)).toBe(true);
      expect(await store.scripts.remove(id, found!.id)).toBe(false);
      expect(await store.scripts.find(id, found!.id)).toBeUndefined();
      expect((await search(id, "gone")).total).toBe(0);
      expect(await search(id, "tomorrow")).toMatchObject({
        total: 1,
        scripts: [{ transcript: { text: "here tomorrow" } }],
      });
      expect((await search(id)).total).toBe(1);
      expect(await store.scripts.handles(id)).toEqual({ handles: [{ handle: "cook", scripts: 1 }], total: 1 });
      expect((await search(stranger.id)).total).toBe(1);
      const said = { text: "gone tomorrow", truncated: false };
      expect(await store.transcriptions.readText(reel, id)).toMatchObject(said);
      expect(await store.transcriptions.readText({ ...reel, mediaId: "none" }, id)).toBeUndefined();
      await expect(store.transcriptions.readText(reel, "acc_gone")).rejects.toMatchObject({ code: "unauthorized" });
      expect((await search(id, "gone")).scripts).toEqual([]);
      expect(await store.transcriptions.takeCached(reel, anAllowance(id), after(2))).toMatchObject({
        text: "gone tomorrow",
      });
      expect((await search(id, "gone")).total).toBe(1);
    });

    test("leaves no gap and no repetition for who reads page by page", async () => {
      const { id } = await anAccount(store);
      for (let index = 0; index < 6; index += 1) await transcribe(store, id, { text: `${index}` }, after(index));
      const page = async (from?: { sortedBy: number | null; number: number }) =>
        store.scripts.search(id, { sort: "date", limit: 2, after: from });
      const first = await page();
      // The last of the page is where the next one continues.
      await store.scripts.remove(id, first.scripts[1]!.id);
      const second = await page(first.next);
      expect(second).toMatchObject({
        total: 5,
        scripts: [{ transcript: { text: "3" } }, { transcript: { text: "2" } }],
      });
    });
  });
}
