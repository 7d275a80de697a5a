import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { canceledByOperator } from "../../../src/features/operator/retry-transcription.ts";
import { after, anAccount, anAllowance, aReel, ask, mustStart, start, unique } from "./fixtures.ts";

const why = { by: "ada", reason: "a test", now: start };

export function operator(store: Store): void {
  describe("the operator", () => {
    test("pages through the queue and what failed, of everybody or of one account", async () => {
      const one = await anAccount(store);
      const other = await anAccount(store);
      const ids: string[] = [];
      for (const { id } of [one, other, one]) ids.push(await mustStart(store, id));
      const list = async (state: "open" | "failed", accountId: string | null, cursor: string | null, limit = 2) =>
        (await store.operatorQueue.list({ state, accountId, after: cursor, limit })).map(({ id }) => id);
      expect(await list("open", null, null)).toEqual([ids[0], ids[1]]);
      expect(await list("open", null, ids[1]!)).toEqual([ids[2]]);
      expect(await list("open", one.id, null)).toEqual([ids[0], ids[2]]);
      for (const id of ids) expect(await store.operatorQueue.cancel(id, canceledByOperator, why)).toBe(true);
      expect(await list("open", null, null)).toEqual([]);
      expect(await list("failed", null, null)).toEqual([ids[2], ids[1]]);
      expect(await list("failed", null, ids[1]!, 1)).toEqual([ids[0]]);
      expect(await list("failed", one.id, null)).toEqual([ids[2], ids[0]]);
      expect(await list("failed", one.id, ids[2]!)).toEqual([ids[0]]);
    });

    test("leaves an entry for each thing done, and none for what wasn't", async () => {
      const { id } = await anAccount(store);
      const transcriptionId = await mustStart(store, id);
      const before = (await store.moderation.audit(1_000)).length;
      const cancel = () => store.operatorQueue.cancel(transcriptionId, canceledByOperator, why);
      const outcomes = await Promise.all([cancel(), cancel(), cancel()]);
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await store.operatorQueue.hurry(transcriptionId, why)).toBe(false);
      expect(await store.operatorQueue.resume(why)).toBe(false);
      const drained = await Promise.all([store.operatorQueue.drain(why), store.operatorQueue.drain(why)]);
      expect(drained.filter(Boolean)).toHaveLength(1);
      expect(await store.operatorQueue.resume(why)).toBe(true);
      const entries = await store.moderation.audit(1_000);
      expect(entries.length - before).toBe(3);
      expect(entries.map(({ action }) => action)).toEqual(
        expect.arrayContaining(["cancelTranscription", "drainQueue", "resumeQueue"]),
      );
    });

    test("finds accounts by the beginning of their address, in any case, and any characters in it", async () => {
      const mark = unique();
      const accountIds = new Map<string, string>();
      for (const name of ["B", "a", "c", "É", "a_", "a%"]) {
        const email = `${mark}.${name}@example.test`;
        accountIds.set(name, (await store.accounts.create({ email, plan: "free", now: start })).id);
      }
      const search = async (text: string, page: { limit?: number; after?: string } = {}) =>
        (await store.accounts.list({ search: text, ...page })).map(({ id }) => id);
      const ids = (...names: string[]) => names.map((name) => accountIds.get(name));
      expect(await search(`${mark.toUpperCase()}.`)).toEqual(ids("a%", "a", "a_", "B", "c", "É"));
      expect(await search(`${mark}.`, { limit: 2, after: accountIds.get("a") })).toEqual(ids("a_", "B"));
      expect(await search(`${mark}.a_`)).toEqual(ids("a_"));
      expect(await search(`${mark}.a%`)).toEqual(ids("a%"));
      expect(await search(accountIds.get("c")!)).toEqual(ids("c"));
      expect(await search(accountIds.get("c")!, { after: accountIds.get("c")! })).toEqual([]);
      expect(await search(`${mark}.z`)).toEqual([]);
    });

    test("reads the use of many accounts at once", async () => {
      const one = await anAccount(store);
      const other = await anAccount(store);
      for (const slot of [1, 2]) await ask(store, aReel(), anAllowance(one.id, { slot }));
      const rows = await store.allowances.ofAccounts(
        [one, other].map(({ id }) => ({ accountId: id, period: "lifetime" })),
        5,
      );
      expect(rows).toEqual([
        { accountId: one.id, slot: 1, used: 0, held: 1 },
        { accountId: one.id, slot: 2, used: 0, held: 1 },
      ]);
      const elsewhere = await store.allowances.ofAccounts([{ accountId: one.id, period: "another" }], 5);
      expect(elsewhere).toEqual([]);
    });

    test("reads figures of the whole service", async () => {
      const { operatorFigures: figures } = store;
      const { id } = await anAccount(store);
      await mustStart(store, id);
      expect(await figures.work()).toMatchObject({ queued: 1, running: 0 });
      expect(await figures.outages()).toEqual([]);
      expect((await figures.database()).bytes).toBeGreaterThan(1_000_000);
      expect(await figures.tables()).toMatchObject({
        pending: [],
        newer: [],
        oldestRelease: "0014-compact-transcripts",
      });
      await store.taskLeases.take("a-task", "somebody", after(60), start);
      expect(await figures.tasks()).toContainEqual({ name: "a-task", isHeld: true, until: after(60) });
      await store.taskLeases.end("a-task", "somebody", after(600));
      expect(await figures.tasks()).toContainEqual({ name: "a-task", isHeld: false, until: after(600) });
      expect(Array.isArray(await figures.workers(start))).toBe(true);
      // In tests the embedded database has a backup of the far future.
      const isEmbedded = (await figures.database()).kind === "embedded";
      expect(await figures.lastBackupAt()).toEqual(isEmbedded ? new Date("9999-12-31T00:00:00.000Z") : undefined);
    });
  });
}
