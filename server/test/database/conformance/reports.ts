import { describe, expect, test } from "vitest";
import type { PostAllowance, Report, Store } from "../../../src/ports.ts";
import { after, anAccount, aReport as plainReport, hashOf, start } from "./fixtures.ts";

const aReport = (changes: Partial<Omit<Report, "id">> = {}) =>
  plainReport({
    handle: "cook.daily",
    reelsAnalyzed: 3,
    timezone: "Europe/Berlin",
    findings: {
      metrics: { avgViews: 1234.5, postingFrequencyPerWeek: 2.75 },
      topReels: [{ url: "https://reels.test/reel/a/", caption: "Odd \0 \ud800 „ü“", views: 9_007_199_254_740_991 }],
      bestPostingTimes: [{ dayOfWeek: "Tuesday", hour: 0, avgViews: 0.25 }],
      insights: ["One.", "Two."],
    },
    ...changes,
  });

const allowanceOf = (accountId: string, changes: Partial<PostAllowance> = {}): PostAllowance => ({
  accountId,
  period: "lifetime",
  limit: 500,
  ...changes,
});

export function reports(store: Store): void {
  describe("reports", () => {
    test("come back as they were stored", async () => {
      const { id } = await anAccount(store);
      const stored = await store.reports.add(allowanceOf(id), aReport());
      expect(stored).toEqual({ ...aReport(), id: expect.stringMatching(/^rep_/) });
      const { id: reportId } = stored as Report;
      expect(await store.reports.find(id, reportId)).toEqual(stored);
      expect(await store.reports.findNewest(id, "@Cook.Daily")).toEqual(stored);
      const { findings: _findings, timezone: _timezone, ...summary } = stored as Report;
      expect(await store.reports.list(id, { limit: 10 })).toEqual({ reports: [summary] });
      const { metrics } = aReport().findings;
      expect(await store.reports.listFigures(id, { limit: 10 })).toEqual({ reports: [{ ...summary, metrics }] });
    });

    test("are listed newest first, by the time of the collection and then by what was added later", async () => {
      const { id } = await anAccount(store);
      const add = async (handle: string, createdAt: Date) =>
        ((await store.reports.add(allowanceOf(id), aReport({ handle, createdAt }))) as Report).id;
      const old = await add("b", after(-10));
      const first = await add("a", start);
      const second = await add("@B", start);
      const older = await add("a", after(-20));
      const ids = async (limit: number) => (await store.reports.list(id, { limit })).reports.map((report) => report.id);
      expect(await ids(10)).toEqual([second, first, old, older]);
      expect(await ids(2)).toEqual([second, first]);
      expect((await store.reports.findNewest(id, "a"))?.id).toBe(first);
      expect((await store.reports.findNewest(id, "B"))?.id).toBe(second);
      expect(await store.reports.findNewest(id, "c")).toBeUndefined();
    });

    test("are nobody else's", async () => {
      const [owner, stranger] = [await anAccount(store), await anAccount(store)];
      const { id } = (await store.reports.add(allowanceOf(owner.id), aReport())) as Report;
      for (const accountId of [stranger.id, "acc_nobody", "", "\0"]) {
        expect(await store.reports.find(accountId, id)).toBeUndefined();
        expect(await store.reports.findNewest(accountId, "cook.daily")).toBeUndefined();
        expect(await store.reports.list(accountId, { limit: 10 })).toEqual({ reports: [] });
        expect(await store.reports.listFigures(accountId, { limit: 10 })).toEqual({ reports: [] });
        expect(await store.reports.postsUsed(accountId, "lifetime")).toBe(0);
      }
      for (const reportId of ["rep_nothing", "", "\0", `${id} `])
        expect(await store.reports.find(owner.id, reportId)).toBeUndefined();
    });

    test("are removed by their owner alone, and what they counted stays counted", async () => {
      const [owner, stranger] = [await anAccount(store), await anAccount(store)];
      const { id } = (await store.reports.add(allowanceOf(owner.id), aReport())) as Report;
      const kept = (await store.reports.add(allowanceOf(owner.id), aReport())) as Report;
      for (const accountId of [stranger.id, "acc_nobody", "", "\0"])
        expect(await store.reports.remove(accountId, id)).toBe(false);
      expect(await store.reports.remove(owner.id, "rep_nothing")).toBe(false);
      expect(await store.reports.remove(owner.id, id)).toBe(true);
      expect(await store.reports.remove(owner.id, id)).toBe(false);
      expect(await store.reports.find(owner.id, id)).toBeUndefined();
      expect((await store.reports.list(owner.id, { limit: 10 })).reports.map((one) => one.id)).toEqual([kept.id]);
      expect(await store.reports.postsUsed(owner.id, "lifetime")).toBe(6);
    });

    test("take the answers along that were kept of them", async () => {
      const { id } = await anAccount(store);
      const begin = async (key: string) => {
        const subject = { accountId: id, slot: 0 };
        return store.idempotentAnswers.begin({ subject, key, request: hashOf(key), leaseSeconds: 30, now: start });
      };
      const made = async (key: string): Promise<string> => {
        const begun = await begin(key);
        if (begun.kind !== "begun") throw new Error(`expected to begin, but it is ${begun.kind}`);
        const report = (await store.reports.add(allowanceOf(id), aReport())) as Report;
        const output = { ...report.findings, id: report.id };
        await store.idempotentAnswers.keep(begun.token, { output, accepted: false }, start);
        return report.id;
      };
      const removed = await made("removed");
      await made("kept");
      await begin("under way");
      expect(await store.reports.remove(id, removed)).toBe(true);
      expect(await Promise.all(["removed", "kept", "under way"].map(begin))).toMatchObject([
        { kind: "begun" },
        { kind: "answered" },
        { kind: "inFlight" },
      ]);
    });

    test("with an id of the caller's are stored and counted once, also where nothing is left or many race", async () => {
      const [{ id }, other] = [await anAccount(store), await anAccount(store)];
      const add = (reportId: string, accountId = id) =>
        store.reports.add(allowanceOf(accountId, { limit: 3 }), aReport(), reportId);
      const reportId = `rep_of_${id}`;
      const [stored, ...racers] = await Promise.all(Array.from({ length: 8 }, () => add(reportId)));
      expect(stored).toEqual({ ...aReport(), id: reportId });
      for (const racer of racers) expect(racer).toEqual(stored);
      expect(await add(reportId)).toEqual(stored);
      expect(await add(`${reportId}_2`)).toBe("limitReached");
      await expect(add(reportId, other.id), "nobody gets another account's").rejects.toThrow(/unique/);
      expect(await store.reports.postsUsed(id, "lifetime")).toBe(3);
      expect(await store.reports.postsUsed(other.id, "lifetime")).toBe(0);
      expect((await store.reports.list(id, { limit: 10 })).reports).toHaveLength(1);
    });

    test("count their reels in their period, up to the limit and not one beyond", async () => {
      const { id } = await anAccount(store);
      const add = async (reelsAnalyzed: number, changes: Partial<PostAllowance> = {}) => {
        const added = await store.reports.add(allowanceOf(id, { limit: 10, ...changes }), aReport({ reelsAnalyzed }));
        return added === "limitReached" ? added : "added";
      };
      expect(await add(11)).toBe("limitReached");
      expect(await store.reports.postsUsed(id, "lifetime")).toBe(0);
      expect(await add(7)).toBe("added");
      expect(await add(4)).toBe("limitReached");
      expect(await add(3)).toBe("added");
      expect(await add(1)).toBe("limitReached");
      expect(await store.reports.postsUsed(id, "lifetime")).toBe(10);
      expect(await add(10, { period: "2026-03-01" })).toBe("added");
      expect(await add(1_000, { limit: null })).toBe("added");
      expect(await store.reports.postsUsed(id, "lifetime")).toBe(1_010);
      expect(await store.reports.postsUsed(id, "2026-03-01")).toBe(10);
      expect((await store.reports.list(id, { limit: 10 })).reports).toHaveLength(4);
    });

    test("never pass the limit together, whoever races", async () => {
      const { id } = await anAccount(store);
      const added = await Promise.all(
        Array.from({ length: 8 }, () =>
          store.reports.add(allowanceOf(id, { limit: 10 }), aReport({ reelsAnalyzed: 3 })),
        ),
      );
      expect(added.filter((one) => one !== "limitReached")).toHaveLength(3);
      expect(await store.reports.postsUsed(id, "lifetime")).toBe(9);
      expect((await store.reports.list(id, { limit: 10 })).reports).toHaveLength(3);
    });
  });
}
