import { describe, expect, test } from "vitest";
import type { PostAllowance, Report, Store } from "../../../src/ports.ts";
import { anAccount, aReport as plainReport, hashOf, start } from "./fixtures.ts";

const aReport = (changes: Partial<Omit<Report, "id">> = {}) =>
  plainReport({
    handle: "cook.daily",
    reelsAnalyzed: 3,
    timezone: "Europe/Berlin",
    findings: {
      metrics: { avgViews: 1234.5, postingFrequencyPerWeek: 2.75 },
      topReels: [{ url: "https://reels.test/reel/a/", caption: "Odd \0 \ud800 „ü“", views: 9_007_199_254_740_991 }],
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
    test("take the answers along that were kept of them", async () => {
      const { id } = await anAccount(store);
      const begin = async (key: string) => {
        const subject = { accountId: id, slot: 0 };
        return store.idempotentAnswers.begin({ subject, key, request: hashOf(key), leaseSeconds: 30, now: start });
      };
      const addReport = async (key: string): Promise<string> => {
        const begun = await begin(key);
        if (begun.kind !== "begun") throw new Error(`expected to begin, but it is ${begun.kind}`);
        const report = (await store.reports.add(allowanceOf(id), aReport())) as Report;
        const output = { ...report.findings, id: report.id };
        await store.idempotentAnswers.keep(begun.token, { output, accepted: false }, start);
        return report.id;
      };
      const removed = await addReport("removed");
      await addReport("kept");
      await begin("under way");
      expect(await store.reports.remove(id, removed)).toBe(true);
      expect(await Promise.all(["removed", "kept", "under way"].map(begin))).toMatchObject([
        { kind: "begun" },
        { kind: "answered" },
        { kind: "inFlight" },
      ]);
    });

    test("with the same id are stored and counted once under concurrency", async () => {
      const { id } = await anAccount(store);
      const other = await anAccount(store);
      const add = (reportId: string, accountId = id) =>
        store.reports.add(allowanceOf(accountId, { limit: 3 }), aReport(), reportId);
      const reportId = `rep_of_${id}`;
      const [stored, ...racers] = await Promise.all(Array.from({ length: 8 }, () => add(reportId)));
      const { findings } = aReport();
      const topReels = [{ ...findings.topReels[0]!, caption: "Odd  \uFFFD „ü“" }];
      expect(stored).toEqual({ ...aReport({ findings: { ...findings, topReels } }), id: reportId });
      for (const racer of racers) expect(racer).toEqual(stored);
      expect(await add(reportId)).toEqual(stored);
      expect(await add(`${reportId}_2`)).toBe("limitReached");
      await expect(add(reportId, other.id), "nobody gets another account's").rejects.toThrow(/unique/);
      expect(await store.reports.postsUsed(id, "lifetime")).toBe(3);
      expect(await store.reports.postsUsed(other.id, "lifetime")).toBe(0);
      expect((await store.reports.list(id, { limit: 10 })).reports).toHaveLength(1);
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

    test("are listed with figures, all or by handle, page by page", async () => {
      const { id } = await anAccount(store);
      const add = async (handle: string, days: number) => {
        const createdAt = new Date(start.getTime() + days * 86_400_000);
        return (await store.reports.add(allowanceOf(id), aReport({ handle, createdAt }))) as Report;
      };
      const first = await add("cook", 1);
      await add("baker", 2);
      const second = await add("Cook", 3);
      const firstPage = await store.reports.listFigures(id, { limit: 1, handle: "@COOK" });
      expect(firstPage.reports).toMatchObject([{ id: second.id, metrics: { avgViews: 1234.5 } }]);
      const rest = await store.reports.listFigures(id, { limit: 1, handle: "cook", after: firstPage.next });
      expect(rest).toMatchObject({ reports: [{ id: first.id }] });
      expect(rest.next).toBeUndefined();
      expect((await store.reports.listFigures(id, { limit: 10 })).reports).toHaveLength(3);
    });

    test("have one link each, limited per account under concurrency", async () => {
      const owner = await anAccount(store);
      const add = async () => ((await store.reports.add(allowanceOf(owner.id), aReport())) as Report).id;
      const one = await add();
      const other = await add();
      const create = (reportId: string, token: string) =>
        store.reportLinks.create({
          accountId: owner.id,
          reportId,
          token: `${token}${owner.id}`,
          title: null,
          most: 1,
          now: start,
        });
      const [first, again] = await Promise.all([create(one, "a"), create(one, "b")]);
      expect(again).toEqual(first);
      expect(await create(other, "c")).toBe("full");
      expect(await store.reportLinks.list(owner.id)).toEqual([first]);
      expect(
        (await store.reportLinks.open(`a${owner.id}`)) ?? (await store.reportLinks.open(`b${owner.id}`)),
      ).toMatchObject({
        title: null,
        report: { id: one },
      });
    });
  });
}
