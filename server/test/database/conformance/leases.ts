import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  broken,
  mustClaim,
  start,
  transcriptOf,
  walled,
} from "./fixtures.ts";

export function leases(store: Store): void {
  const read = (accountId: string) => store.allowances.read({ accountId, slot: 1 }, "lifetime");

  describe("leases", () => {
    test("that expired pass to another worker, and the first can't write", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      const first = await mustClaim(store, start, 30);
      expect(await store.transcriptions.claim("second", 30, after(29))).toBeUndefined();
      const second = await mustClaim(store, after(30), 30);
      expect(second).toMatchObject({ transcriptionId: first.transcriptionId, attempt: 2, mayRetry: false });
      const transcript = transcriptOf(first.reel);
      expect(await store.transcriptions.extend(first, 0.9, 30, after(31))).toBe(false);
      expect(await store.transcriptions.complete(first, transcript, true, after(31))).toBe(false);
      const refuse = { model: "whisper-base", until: after(86_400) };
      expect(await store.transcriptions.fail(first, walled, { now: after(31), refuse })).toBe(false);
      expect(await store.transcriptions.release(first, true)).toBe(false);
      expect(await store.transcriptions.takeCached(first.reel, anAllowance(id), after(31))).toBeUndefined();
      expect(await read(id)).toEqual({ used: 0, held: 1 });
      expect(await store.transcriptions.complete(second, transcript, true, after(32))).toBe(true);
      expect(await read(id)).toEqual({ used: 1, held: 0 });
    });

    test("that expired without tries left return the unit exactly once", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      const first = await mustClaim(store, start, 30);
      expect(await store.transcriptions.extend(first, 0.1, 30, after(20))).toBe(true);
      expect(await store.transcriptions.claim("second", 30, after(49))).toBeUndefined();
      expect(await store.transcriptions.reap(broken, after(60))).toEqual({ failed: 0, expired: 0 });
      const second = await mustClaim(store, after(60), 30);
      expect([first.tookOver, second.tookOver]).toEqual([undefined, true]);
      expect(await store.transcriptions.reap(broken, after(89))).toEqual({ failed: 0, expired: 0 });
      expect(await store.transcriptions.claim("third", 30, after(90))).toBeUndefined();
      const reaped = await Promise.all([
        store.transcriptions.reap(broken, after(90)),
        store.transcriptions.reap(broken, after(90)),
      ]);
      expect(reaped.toSorted((one, other) => one.failed - other.failed)).toEqual([
        { failed: 0, expired: 0 },
        { failed: 1, expired: 1 },
      ]);
      expect(await store.transcriptions.find(second.transcriptionId)).toEqual({ state: "failed", failure: broken });
      expect(await store.transcriptions.complete(second, transcriptOf(second.reel), true, after(91))).toBe(false);
      expect(await read(id)).toEqual({ used: 0, held: 0 });
      expect(await ask(store, second.reel, anAllowance(id))).toMatchObject({ kind: "started" });
    });

    test("given up without fault cost no try; others do, until reaped", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      for (let shutdown = 0; shutdown < 3; shutdown += 1) {
        const claim = await mustClaim(store);
        expect(claim.mayRetry).toBe(true);
        expect(await store.transcriptions.release(claim, false)).toBe(true);
        expect(await store.transcriptions.find(claim.transcriptionId)).toEqual({ state: "queued", progress: 0 });
      }
      for (const mayRetry of [true, false]) {
        const claim = await mustClaim(store);
        expect(claim.mayRetry).toBe(mayRetry);
        expect(await store.transcriptions.release(claim, true)).toBe(true);
      }
      expect(await store.transcriptions.claim("worker", 30, start)).toBeUndefined();
      expect(await store.transcriptions.reap(broken, start)).toEqual({ failed: 1, expired: 0 });
      expect(await read(id)).toEqual({ used: 0, held: 0 });
    });

    test("given up by failing machines go to others, and finally fail", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      for (let setbacks = 0; setbacks < 6; setbacks += 1) {
        const claim = await mustClaim(store, after(3 * setbacks));
        expect(claim).toMatchObject({ setbacks, mayRetry: true });
        const given = store.transcriptions.release(claim, false, after(3 * setbacks + 3));
        expect(await given).toBe(true);
        expect(await store.transcriptions.claim("worker", 30, after(3 * setbacks + 2))).toBeUndefined();
      }
      const other = (await store.transcriptions.claim("other", 30, after(16)))!;
      expect(other).toMatchObject({ setbacks: 6, mayRetry: false });
      await store.transcriptions.release(other, false, after(19));
      expect(await store.transcriptions.reap(broken, after(200))).toEqual({ failed: 1, expired: 0 });
      expect(await read(id)).toEqual({ used: 0, held: 0 });
    });

    test("all end at once", async () => {
      const { id } = await anAccount(store);
      await ask(store, aReel(), anAllowance(id));
      await ask(store, aReel(), anAllowance(id));
      const before = [await mustClaim(store, start, 3_600), await mustClaim(store, start, 3_600)];
      await store.transcriptions.expireLeases(after(1));
      const again = [await mustClaim(store, after(1)), await mustClaim(store, after(1))];
      expect(again.map(({ transcriptionId }) => transcriptionId)).toEqual(
        before.map(({ transcriptionId }) => transcriptionId),
      );
      expect(again.map(({ attempt }) => attempt)).toEqual([2, 2]);
    });
  });

  describe("signals", () => {
    test("tell of what was queued and what has finished, until ended", async () => {
      const { id } = await anAccount(store);
      const topics: string[] = [];
      const wait = (topic: "queued" | "finished") =>
        new Promise<() => void>((resolve) => {
          const end = store.subscribe(topic, () => {
            topics.push(topic);
            resolve(end);
          });
        });
      const queued = wait("queued");
      await ask(store, aReel(), anAllowance(id));
      (await queued)();
      const finished = wait("finished");
      await store.transcriptions.fail(await mustClaim(store), walled, { now: start });
      (await finished)();
      await ask(store, aReel(), anAllowance(id));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(topics).toEqual(["queued", "finished"]);
    });
  });
}
