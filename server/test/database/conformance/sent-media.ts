import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createDiskObjects } from "../../../src/adapters/objects/disk-objects.ts";
import type { Objects, Store } from "../../../src/ports.ts";
import { runUpkeep } from "../../harness/look-after.ts";
import { directoryOfTests } from "../../harness/temporary-directory.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  broken,
  emptyQueue,
  mustClaim,
  requestOf,
  start,
  transcriptOf,
} from "./fixtures.ts";

interface Opened {
  readonly store: Store;
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

const most = { mostBytesOfAccount: 1_000, mostBytes: 10_000, mostBytesPerHour: 1_000_000, leastFreeBytes: 0 };

/** Registers what the port `SentMedia` promises, for media in the database and in a storage. */
export function sentMediaConformance(open: (objects?: Objects) => Promise<Opened>): void {
  const directory = directoryOfTests();

  describe.each(["in the database", "in a storage"])("media that browsers sent, %s", (place) => {
    const isStored = place === "in a storage";
    const folder = path.join(directory, "objects");
    let opened: Opened;
    let store: Store;
    beforeAll(async () => {
      opened = await open(isStored ? createDiskObjects(folder) : undefined);
      ({ store } = opened);
    });
    afterEach(() => emptyQueue(store));
    afterAll(() => opened.close());

    const begin = async (accountId: string, now = start) =>
      store.sentMedia.begin({ accountId, ...most, expiresAt: after(60, now), now });
    async function mustBegin(accountId: string, now = start): Promise<string> {
      const begun = await begin(accountId, now);
      return begun.kind === "begun" ? begun.mediaId : expect.fail(begun.kind);
    }
    /** Media in three parts, for a reel that nobody has. */
    async function sendReel() {
      const { id: accountId } = await anAccount(store);
      const parts = [400, 400, 100].map((size) => new Uint8Array(randomBytes(size)));
      const mediaId = await mustBegin(accountId);
      for (const [number, part] of parts.entries()) await store.sentMedia.append(mediaId, number, part, after(60));
      const reel = aReel();
      const started = await store.sentMedia.request(mediaId, requestOf(reel, anAllowance(accountId)));
      expect(started.kind).toBe("started");
      return { accountId, mediaId, parts, reel };
    }
    const places = async () =>
      (
        await opened.pool.query<{ bytes: number | null; object: string | null }>(
          "select octet_length(bytes) as bytes, object from sent_media_part order by number",
        )
      ).rows;
    async function objectsLeft(): Promise<number> {
      await runUpkeep(store, "remove-objects", after(1_000));
      return (await readdir(path.join(folder, "media")).catch(() => [])).length;
    }
    const left = async () => ({ parts: await places(), objects: await objectsLeft() });
    const nothing = { parts: [], objects: 0 };

    test("are read unchanged by their transcriber, and then deleted", async () => {
      const { parts, reel } = await sendReel();
      expect((await places()).map(({ bytes, object }) => [bytes, object === null])).toEqual(
        isStored
          ? [
              [null, false],
              [null, false],
              [null, false],
            ]
          : [
              [400, true],
              [400, true],
              [100, true],
            ],
      );
      const claim = await mustClaim(store);
      for (const [number, part] of parts.entries())
        expect([...(await store.sentMedia.readPart(claim.transcriptionId, number))!]).toEqual([...part]);
      expect(await store.sentMedia.readPart(claim.transcriptionId, parts.length)).toBeUndefined();
      expect(await objectsLeft(), "nothing is removed that is needed").toBe(isStored ? 3 : 0);
      expect(await store.transcriptions.complete(claim, transcriptOf(reel), true, after(5))).toBe(true);
      expect(await store.sentMedia.readPart(claim.transcriptionId, 0)).toBeUndefined();
      expect(await left()).toEqual(nothing);
    });

    test("count toward what their account may have waiting", async () => {
      const { accountId } = await sendReel();
      const second = await mustBegin(accountId);
      await store.sentMedia.append(second, 0, Buffer.alloc(100), after(60));
      await store.sentMedia.request(second, requestOf(aReel(), anAllowance(accountId, { limit: 10 })));
      expect((await begin(accountId)).kind).toBe("full");
      await emptyQueue(store);
      expect((await begin(accountId)).kind).toBe("begun");
    });

    test.each<[string, (of: Awaited<ReturnType<typeof sendReel>>) => Promise<unknown>]>([
      ["fails", async () => store.transcriptions.fail(await mustClaim(store), broken, { now: after(1) })],
      [
        "is taken down",
        ({ reel }) => store.moderation.takeDown(reel, { by: "op", reason: "a request", now: after(1) }),
      ],
      ["loses its account", ({ accountId }) => store.accounts.remove(accountId, after(1))],
    ])("are gone when their reel %s", async (_end, end) => {
      await end(await sendReel());
      expect(await left()).toEqual(nothing);
    });

    test("are gone when they break off, and when their process died", async () => {
      const { id: accountId } = await anAccount(store);
      const dropped = await mustBegin(accountId);
      await store.sentMedia.append(dropped, 0, Buffer.from("a beginning"), after(60));
      await store.sentMedia.drop(dropped);
      expect(await left()).toEqual(nothing);

      const abandoned = await mustBegin(accountId);
      await store.sentMedia.append(abandoned, 0, Buffer.from("a beginning"), after(60));
      await runUpkeep(store, "forget-sent-media", after(61));
      expect(await left()).toEqual(nothing);
      await expect(store.sentMedia.append(abandoned, 1, Buffer.from("more"), after(60))).rejects.toThrow(/gone/);
      expect(await left()).toEqual(nothing);
    });

    test("lose their objects in one go where there is a storage", async () => {
      await opened.pool.query(
        "insert into removed_object (name) select 'media/a.' || n from generate_series(1, 1201) as n",
      );
      await runUpkeep(store, "remove-objects", after(1_000));
      expect((await opened.pool.query("select name from removed_object")).rowCount).toBe(isStored ? 0 : 1_201);
    });

    test("are left to workers that can read them", async () => {
      const { parts } = await sendReel();
      // Workers of the release before claim with five values, and read bytes alone.
      const claimBefore = async (now: Date) =>
        (await opened.pool.query("select id from claim_next('before', 30, $1, true, '{}')", [now])).rowCount;
      expect(await claimBefore(start)).toBe(isStored ? 0 : 1);
      const dead = isStored ? await mustClaim(store) : undefined;
      if (dead !== undefined) expect(await claimBefore(after(60)), "nor when a lease has run out").toBe(0);
      const claim = await mustClaim(store, after(60));
      expect(claim).toMatchObject({ attempt: 2, tookOver: true });
      expect([...(await store.sentMedia.readPart(claim.transcriptionId, 0))!]).toEqual([...parts[0]!]);
    });
  });
}
