import { describe, expect, test } from "vitest";
import type { Store, TablePosition } from "../../../../src/ports.ts";
import { runUpkeep } from "../../../harness/look-after.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  askSent,
  mustClaim,
  newestScriptId,
  start,
  takeTranscript,
  transcribe,
  transcriptOf,
  unique,
} from "../fixtures.ts";

const days = (count: number): Date => after(count * 86_400);

export function deletedScripts(store: Store): void {
  const total = async (accountId: string, query?: string): Promise<number> =>
    (await store.scripts.search(accountId, { query, sort: "date", limit: 1 })).total;
  const listIds = async (accountId: string): Promise<string[]> =>
    (await store.deletedScripts.list(accountId, { limit: 50 })).scripts.map(({ id }) => id);

  /** A script that is corrected, tagged and shared. */
  async function aKeptScript() {
    const { id: accountId } = await anAccount(store);
    const { reel } = await transcribe(store, accountId, { text: "salt comes first", handle: "cook" });
    const id = await newestScriptId(store, accountId);
    await store.corrections.change(accountId, id, () => ["pepper comes first"], after(10));
    await store.tags.set(accountId, id, ["Hooks"], 20);
    const token = unique();
    await store.shareLinks.create({ accountId, scriptId: id, token, most: 100, now: after(11) });
    return { accountId, id, reel, token };
  }

  describe("a script that is deleted", () => {
    test("is in no list, search, count or link, and returns unchanged", async () => {
      const { accountId, id, token } = await aKeptScript();
      expect(await store.shareLinks.open(token)).toMatchObject({ id });
      expect(await store.deletedScripts.delete(accountId, [id, "scr_nothing"], days(1))).toEqual([id]);

      expect([await total(accountId), await total(accountId, "pepper")]).toEqual([0, 0]);
      expect(await store.scripts.find(accountId, id)).toBeUndefined();
      expect(await store.scripts.findUnread(accountId, id)).toBeUndefined();
      expect((await store.scripts.listUnread(accountId)).scripts).toEqual([]);
      expect(await store.scripts.handles(accountId)).toEqual({ handles: [], total: 0 });
      expect(await store.scripts.kinds(accountId)).toEqual([]);
      expect((await store.scripts.listReels(accountId, 0, 10)).total).toBe(0);
      expect(await store.corrections.find(accountId, id)).toBeUndefined();
      expect(await store.tags.list(accountId)).toEqual([]);
      expect(await store.shareLinks.open(token)).toBeUndefined();
      expect(await store.shareLinks.list(accountId)).toEqual([]);
      expect(await store.deletedScripts.list(accountId, { limit: 1 })).toMatchObject({
        total: 1,
        scripts: [{ id, deletedAt: days(1), tags: ["Hooks"], transcript: { text: "pepper comes first" } }],
      });

      expect(await store.deletedScripts.restore(accountId, [id])).toEqual([id]);
      expect([await total(accountId), await total(accountId, "pepper"), await total(accountId, "salt")]).toEqual([
        1, 1, 0,
      ]);
      expect(await store.scripts.find(accountId, id)).toMatchObject({ tags: ["Hooks"], correctedAt: after(10) });
      expect(await listIds(accountId)).toEqual([]);
      expect(await store.shareLinks.open(token), "a link that ended stays ended").toBeUndefined();
      expect(await store.deletedScripts.restore(accountId, [id])).toEqual([]);
    });

    test("is nobody else's to see, restore or erase", async () => {
      const { accountId, id } = await aKeptScript();
      const { id: stranger } = await anAccount(store);
      expect(await store.deletedScripts.delete(stranger, [id], start)).toEqual([]);
      await store.deletedScripts.delete(accountId, [id], start);
      expect(await listIds(stranger)).toEqual([]);
      expect(await store.deletedScripts.restore(stranger, [id])).toEqual([]);
      expect(await store.deletedScripts.erase(stranger, [id])).toEqual([]);
      expect(await listIds(accountId)).toEqual([id]);
    });

    test("comes back with the words that its reel has by then", async () => {
      const { id: accountId } = await anAccount(store);
      const { reel } = await transcribe(store, accountId, { text: "the first words" }, start, {
        gaps: [{ start: 2, end: 4, reason: "noText" }],
      });
      const id = await newestScriptId(store, accountId);
      const { id: other } = await anAccount(store);
      await takeTranscript(store, reel, other, start);
      const theirs = await newestScriptId(store, other);
      await store.deletedScripts.delete(accountId, [id], start);
      await store.retranscriptions.request({
        accountId: other,
        scriptId: theirs,
        recognizer: { model: "whisper-base", revision: 2 },
        queueLimit: 10,
        queueLimitPerAccount: 10,
        now: after(50),
      });
      const newTranscript = { ...transcriptOf(reel, { text: "the first words, heard better" }), revision: 2 };
      await store.transcriptions.complete(await mustClaim(store, after(60)), newTranscript, false, after(60));
      await store.deletedScripts.restore(accountId, [id]);
      expect([await total(accountId, "better"), await total(other, "better")]).toEqual([1, 1]);
    });

    test("is restored, not doubled, by a transcription of its reel", async () => {
      const { accountId, id, reel } = await aKeptScript();
      await store.deletedScripts.delete(accountId, [id], start);
      const taken = await store.transcriptions.takeCached(reel, anAllowance(accountId), days(2));
      expect(taken).toMatchObject({ scriptId: id, used: 1 });
      expect([await total(accountId), await total(accountId, "pepper"), await listIds(accountId)]).toEqual([1, 1, []]);
    });

    test("exists once or is deleted once under concurrent requests and deletions", async () => {
      const { accountId, id, reel } = await aKeptScript();
      for (let round = 0; round < 10; round += 1)
        await Promise.all([
          store.deletedScripts.delete(accountId, [id], start),
          store.transcriptions.takeCached(reel, anAllowance(accountId), start),
          store.deletedScripts.restore(accountId, [id]),
          store.transcriptions.takeCached(reel, anAllowance(accountId), start),
          store.deletedScripts.delete(accountId, [id], start),
        ]);
      await store.transcriptions.takeCached(reel, anAllowance(accountId), start);
      expect([await total(accountId), await total(accountId, "first")]).toEqual([1, 1]);
    });

    test("goes with its reel when that is taken down, whatever is restored", async () => {
      const { accountId, id, reel } = await aKeptScript();
      await store.deletedScripts.delete(accountId, [id], start);
      const taken = store.moderation.takeDown(reel, { by: "operator", reason: "asked", now: after(20) });
      await Promise.all([taken, store.deletedScripts.restore(accountId, [id])]);
      expect(await listIds(accountId)).toEqual([]);
      expect(await total(accountId)).toBe(0);
      expect(await store.deletedScripts.restore(accountId, [id])).toEqual([]);
    });

    test("follows what everybody has where its account had sent the reel", async () => {
      const { id: accountId } = await anAccount(store);
      const reel = aReel();
      await askSent(store, reel, anAllowance(accountId));
      await store.transcriptions.complete(await mustClaim(store), transcriptOf(reel, { text: "as sent" }), true, start);
      const id = await newestScriptId(store, accountId);
      await store.deletedScripts.delete(accountId, [id], start);
      const { id: other } = await anAccount(store);
      await transcribe(store, other, { text: "as everybody hears" }, after(5), { address: reel });
      expect(await store.deletedScripts.restore(accountId, [id])).toEqual([id]);
      expect(await store.scripts.find(accountId, id)).toMatchObject({ transcript: { text: "as everybody hears" } });
      expect(await total(accountId, "everybody")).toBe(1);
    });

    test("goes with its account, also where that had sent the reel", async () => {
      const { accountId, id } = await aKeptScript();
      await askSent(store, aReel(), anAllowance(accountId));
      const claim = await mustClaim(store);
      await store.transcriptions.complete(claim, transcriptOf(claim.reel, { text: "as sent" }), true, after(30));
      await store.deletedScripts.delete(accountId, [id, await newestScriptId(store, accountId)], start);
      expect(await listIds(accountId)).toHaveLength(2);
      expect(await store.accounts.remove(accountId, after(40))).toBe(true);
      expect(await store.deletedScripts.list(accountId, { limit: 1 })).toEqual({ scripts: [], total: 0 });
    });

    test("is gone once it is erased or 30 days old", async () => {
      const { accountId, id } = await aKeptScript();
      await transcribe(store, accountId, { text: "second" }, after(60));
      const second = await newestScriptId(store, accountId);
      await store.deletedScripts.delete(accountId, [second], days(1));
      await store.deletedScripts.delete(accountId, [id], days(2));
      expect(await listIds(accountId)).toEqual([id, second]);
      await runUpkeep(store, "forget-deleted-scripts", days(31));
      expect(await listIds(accountId)).toEqual([id]);
      expect(await store.deletedScripts.erase(accountId, [id])).toEqual([id]);
      expect(await store.deletedScripts.restore(accountId, [id, second])).toEqual([]);
      expect(await total(accountId)).toBe(0);
    });

    test("is purged with at most 200 others in one turn", async () => {
      const { id: accountId } = await anAccount(store);
      const ids: string[] = [];
      for (let index = 0; index < 201; index += 1) {
        await transcribe(store, accountId, { text: `${index}` }, after(index));
        ids.push(await newestScriptId(store, accountId));
      }
      await store.deletedScripts.delete(accountId, ids, start);
      const first = await store.deletedScripts.list(accountId, { limit: 3 });
      const next = await store.deletedScripts.list(accountId, { limit: 300, ...(first.next && { after: first.next }) });
      expect([first.total, new Set([...first.scripts, ...next.scripts].map(({ id }) => id)).size]).toEqual([201, 201]);
      const task = store.upkeep.find(({ name }) => name === "forget-deleted-scripts");
      expect(await task!.run(days(30), new AbortController().signal), "there is more to do").toBe(true);
      expect(await listIds(accountId)).toHaveLength(1);
    });
  });

  describe("tags", () => {
    const aTagger = async (count: number) => {
      const { id: accountId } = await anAccount(store);
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        await transcribe(store, accountId, { text: `script ${index}`, likes: index }, after(index));
        ids.push(await newestScriptId(store, accountId));
      }
      return { accountId, ids };
    };

    test("are the same in upper and lower case and in any composition", async () => {
      const { accountId, ids } = await aTagger(2);
      expect(await store.tags.set(accountId, ids[0]!, ["Café", "हुक"], 20)).toEqual(["Café", "हुक"]);
      expect(await store.tags.set(accountId, ids[1]!, ["CAFE\u0301"], 20)).toEqual(["Café"]);
      expect(await store.tags.list(accountId)).toEqual([
        { name: "Café", scripts: 2 },
        { name: "हुक", scripts: 1 },
      ]);
      const tagged = (tag: string) => store.scripts.search(accountId, { tag, sort: "date", limit: 5 });
      expect((await tagged("café")).scripts.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
      expect((await tagged("हुक")).total).toBe(1);
      expect(await tagged("nothing")).toEqual({ scripts: [], total: 0 });
      expect((await store.scripts.search(accountId, { tag: "café", query: "1", sort: "date", limit: 5 })).total).toBe(
        1,
      );
    });

    test("have room for 20 names; one that no script has makes room", async () => {
      const { accountId, ids } = await aTagger(2);
      const names = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
      expect(await store.tags.set(accountId, ids[0]!, names, 20)).toHaveLength(20);
      expect(await store.tags.set(accountId, ids[1]!, ["one more"], 20)).toBe("full");
      expect(await store.tags.change(accountId, ids, { add: ["one more"], remove: [], most: 20 })).toBe("full");
      await store.deletedScripts.delete(accountId, [ids[0]!], start);
      expect(await store.tags.set(accountId, ids[1]!, ["one more"], 20), "restored, it needs them").toBe("full");
      await store.deletedScripts.erase(accountId, [ids[0]!]);
      expect(await store.tags.set(accountId, ids[1]!, ["one more"], 20)).toEqual(["one more"]);
      expect(await store.tags.list(accountId)).toEqual([{ name: "one more", scripts: 1 }]);
    });

    test("are added to and taken from several scripts, and nobody else's", async () => {
      const { accountId, ids } = await aTagger(3);
      const { id: stranger } = await anAccount(store);
      const change = { add: ["a", "b"], remove: [], most: 20 };
      expect(await store.tags.change(stranger, ids, change)).toEqual([]);
      expect(await store.tags.set(stranger, ids[0]!, ["a"], 20)).toBe("noScript");
      const changed = await store.tags.change(accountId, [...ids, "scr_nothing"], change);
      expect(new Set(changed)).toEqual(new Set(ids));
      expect(await store.tags.change(accountId, [ids[0]!], { add: ["c"], remove: ["A", "x"], most: 20 })).toEqual([
        ids[0],
      ]);
      expect(await store.tags.list(accountId)).toEqual([
        { name: "a", scripts: 2 },
        { name: "b", scripts: 3 },
        { name: "c", scripts: 1 },
      ]);
    });

    test("given by many at once stay within their number", async () => {
      const { accountId, ids } = await aTagger(4);
      const set = ids.map((id, script) =>
        store.tags.set(
          accountId,
          id,
          Array.from({ length: 9 }, (_, index) => `${script} ${index}`),
          20,
        ),
      );
      expect((await Promise.all(set)).filter((one) => one === "full")).toHaveLength(2);
      expect(await store.tags.list(accountId)).toHaveLength(18);
    });
  });

  describe("a table of scripts", () => {
    test("has the rows of its search in order, however they are read", async () => {
      const { id: accountId } = await anAccount(store);
      for (const [index, handle] of ["cook", "baker", "cook", "cook"].entries())
        await transcribe(store, accountId, { text: `salt number ${index}`, handle, views: 100 - index });
      for (const search of [
        { sort: "views" },
        { sort: "views", query: "salt" },
        { sort: "date", handle: "cook" },
        { sort: "posted", transcribedAfter: days(-1) },
        { sort: "likes", query: "nothing" },
      ] as const) {
        const wholeList = await store.scripts.search(accountId, { ...search, limit: 50 });
        const ids = wholeList.scripts.map(({ id }) => id);
        for (const limit of [1, 3, 50]) {
          const read: string[] = [];
          let position: TablePosition | undefined;
          do {
            const page = await store.scripts.table(accountId, { ...search, limit }, position);
            read.push(...page.scripts.map(({ id }) => id));
            position = page.next;
          } while (position !== undefined);
          expect([search, read]).toEqual([search, ids]);
        }
        const { next: after } = await store.scripts.search(accountId, { ...search, limit: 2 });
        if (after === undefined) continue;
        const behind = await store.scripts.table(accountId, { ...search, limit: 50 }, { numbers: [], after });
        expect(behind.scripts.map(({ id }) => id)).toEqual(ids.slice(2));
      }
    });

    test("leaves out what is deleted meanwhile, and what is somebody else's", async () => {
      const { id: accountId } = await anAccount(store);
      for (const number of [1, 2, 3]) await transcribe(store, accountId, { text: `salt number ${number}` });
      const search = { sort: "date", query: "salt", limit: 1 } as const;
      const { scripts, next } = await store.scripts.table(accountId, search);
      expect([scripts.length, next?.numbers.length]).toEqual([1, 2]);
      await store.deletedScripts.delete(accountId, [await newestScriptId(store, accountId)], days(1));
      const { id: other } = await anAccount(store);
      expect((await store.scripts.table(other, search, next)).scripts).toEqual([]);
      const all = await store.scripts.table(accountId, { ...search, limit: 50 }, next);
      expect([all.scripts.length, all.next]).toEqual([2, undefined]);
    });
  });
}
