import { describe, expect, test } from "vitest";
import type { Store } from "../../../../src/ports.ts";
import { after, anAccount, start, transcribe } from "../fixtures.ts";

export function shareLinks(store: Store): void {
  describe("share links", () => {
    test("are one for a script, open what its owner reads, and end at once", async () => {
      const [owner, stranger] = [await anAccount(store), await anAccount(store)];
      const ids: string[] = [];
      for (const text of ["one", "two"]) {
        await transcribe(store, owner.id, { text });
        ids.push((await store.scripts.search(owner.id, { sort: "date", limit: 1, query: text })).scripts[0]!.id);
      }
      const create = (accountId: string, scriptId: string, token: string, most = 1) =>
        store.shareLinks.create({ accountId, scriptId, token: `${token}${owner.id}`, most, now: start });
      const [first, again] = await Promise.all([create(owner.id, ids[0]!, "a"), create(owner.id, ids[0]!, "b")]);
      if (typeof first === "string") throw new Error(first);
      expect(again).toEqual(first);
      expect(await create(owner.id, ids[1]!, "c")).toBe("full");
      expect(await create(stranger.id, ids[1]!, "d")).toBe("noScript");
      expect(await create("acc_nobody", ids[1]!, "e")).toBe("noScript");
      expect(await store.shareLinks.list(owner.id)).toEqual([first]);

      const open = async () => (await store.shareLinks.open(first.token))?.transcript.text;
      expect(await open()).toBe("one");
      await store.corrections.change(owner.id, ids[0]!, () => ["corrected"], after(1));
      expect(await open()).toBe("corrected");
      expect(await store.shareLinks.open("\0")).toBeUndefined();
      expect(await store.shareLinks.revoke(stranger.id, first.id)).toBe(false);
      const decision = { by: "operator", reason: "asked", now: after(2) };
      await store.moderation.suspend(owner.id, decision);
      expect(await open()).toBeUndefined();
      await store.moderation.unsuspend(owner.id, decision);
      expect(await open()).toBe("corrected");
      expect(await store.shareLinks.revoke(owner.id, first.id)).toBe(true);
      expect(await open()).toBeUndefined();
      expect(await store.shareLinks.revoke(owner.id, first.id)).toBe(false);
      const second = await create(owner.id, ids[1]!, "f");
      if (typeof second === "string") throw new Error(second);
      await store.scripts.remove(owner.id, ids[1]!);
      expect(await store.shareLinks.open(second.token)).toBeUndefined();
    });
  });
}
