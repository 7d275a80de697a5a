import { runUpkeep } from "../../harness/look-after.ts";
import { recordVisit } from "../../harness/record-visit.ts";
import { BioContent } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { aKey, aReel, anAccount, start, unique } from "./fixtures.ts";

const days = (count: number): Date => new Date(start.getTime() + count * 24 * 3_600_000);

export function expiredData(store: Store): void {
  const sweep = (now: Date) => runUpkeep(store, "forget-expired-data", now);

  describe("what nobody needs any more", () => {
    test("is deleted in batches 30 days after key revocation or thumbnail creation", async () => {
      const { id } = await anAccount(store);
      const key = async () => (await aKey(store, id)).id;
      const old = await key();
      const young = await key();
      const live = await key();
      await store.keys.revoke(old, start);
      await store.keys.revoke(young, days(1));
      const pictures = Array.from({ length: 450 }, () => aReel());
      const later = aReel();
      const keep = (reel: typeof later, now: Date) =>
        store.thumbnails.keep(reel, { bytes: new Uint8Array([1, 2, 3]), width: 1, height: 1 }, now);
      for (const picture of pictures) await keep(picture, start);
      await keep(later, days(1));

      await sweep(new Date(days(30).getTime() - 1));
      expect((await store.keys.list(id)).map((one) => one.id)).toEqual([old, young, live]);
      expect(await store.thumbnails.find(pictures[0]!)).toBeDefined();
      await sweep(days(30));
      expect((await store.keys.list(id)).map((one) => one.id)).toEqual([young, live]);
      for (const picture of [pictures[0]!, pictures[225]!, pictures.at(-1)!])
        expect(await store.thumbnails.find(picture)).toBeUndefined();
      expect(await store.thumbnails.find(later)).toBeDefined();
    });

    test("is bounded between sweeps: an account keeps its last 20 revoked keys", async () => {
      const { id } = await anAccount(store);
      for (let count = 0; count < 30; count += 1) {
        const now = new Date(start.getTime() + count);
        await store.keys.revoke((await aKey(store, id, { name: String(count), now })).id, now);
      }
      const names = (await store.keys.list(id)).map(({ name }) => name);
      expect(names).toHaveLength(21);
      expect(names.at(-1)).toBe("29");
    });

    test("is a page's link that became invalid; the page stays", async () => {
      const { id } = await anAccount(store);
      const evil = "https:///www.bank.com@evil.example/";
      const good = { id: "lnk_good", title: "Good", url: "https://example.com/" };
      // An earlier release, which still accepted such an address, wrote its pages like this.
      const content = {
        ...BioContent.parse({ links: [good], displayName: "Ada" }),
        avatarUrl: evil,
        links: [
          ...BioContent.parse({ links: [good] }).links,
          { ...BioContent.parse({ links: [good] }).links[0]!, id: "lnk_evil", title: "My bank", url: evil },
        ],
        socials: [{ platform: "website" as const, url: evil, handle: null }],
        theme: { ...BioContent.parse({}).theme, background: { type: "image" as const, value: evil } },
      };
      await store.bioPages.change(id, () => content, start).catch(() => undefined);
      const page = await store.bioPages.read(id);
      expect(page.content).toMatchObject({
        displayName: "Ada",
        avatarUrl: null,
        socials: [],
        theme: { background: null },
      });
      expect(page.content.links).toMatchObject([
        { id: "lnk_good", url: "https://example.com/" },
        { id: "lnk_evil", type: "header", title: "My bank", url: null, enabled: false },
      ]);
    });

    test("is not kept of links that were deleted and never clicked", async () => {
      const { id } = await anAccount(store);
      const clicked = `lnk_${unique()}`;
      const unclicked = `lnk_${unique()}`;
      const write = (...links: string[]) =>
        store.bioPages.change(
          id,
          () =>
            BioContent.parse({
              links: links.map((link) => ({ id: link, title: link, url: `https://example.com/${link}` })),
            }),
          start,
        );
      const page = await write(clicked, unclicked);
      const click = (linkId: string, visitor: number) =>
        recordVisit(store.bioEvents, { bioId: page.id!, linkId, visitor: new Uint8Array([visitor]), at: start });
      expect(await click(clicked, 1)).toBe("counted");
      await write();
      expect(await click(unclicked, 1), "it is not known any more").toBe("unknown");
      expect(await click(clicked, 2), "this one has figures").toBe("counted");
      await write(clicked, unclicked);
      expect(await click(unclicked, 2), "and both may come back").toBe("counted");
    });
  });
}
