import { describe, expect, test } from "vitest";
import type { Store } from "../../../../src/ports.ts";
import { anAccount, start, transcribe } from "../fixtures.ts";

export function shareLinks(store: Store): void {
  describe("share links", () => {
    test("are unique per script and limited per account under concurrency", async () => {
      const owner = await anAccount(store);
      const ids: string[] = [];
      for (const text of ["one", "two"]) {
        await transcribe(store, owner.id, { text });
        ids.push((await store.scripts.search(owner.id, { sort: "date", limit: 1, query: text })).scripts[0]!.id);
      }
      const create = (scriptId: string, token: string) =>
        store.shareLinks.create({ accountId: owner.id, scriptId, token: `${token}${owner.id}`, most: 1, now: start });
      const [first, again] = await Promise.all([create(ids[0]!, "a"), create(ids[0]!, "b")]);
      expect(again).toEqual(first);
      expect(await create(ids[1]!, "c")).toBe("full");
      expect(await store.shareLinks.list(owner.id)).toEqual([first]);
    });
  });
}
