import type { ReelCollection } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { ingestCollection } from "../../src/features/reports/ingest-collection.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";
import { sixteenReels, sixteenReelsFindings } from "../reports/golden.ts";

const service = serviceOfTests({ transcriber: null });

/** Stores a collection as the extension's own channel does for a person who is signed in. */
async function collect(accountId: string, changes: Partial<ReelCollection> = {}) {
  const { store, clock } = service;
  const account = await store.accounts.find(accountId);
  const take = ingestCollection({ reports: store.reports, clock });
  return take(account!, { ...sixteenReels, collectedAt: clock.now().toISOString(), ...changes });
}

const manyReels = (count: number, name = "M"): Partial<ReelCollection> => ({
  reels: Array.from({ length: count }, (_, index) => ({ url: `https://www.instagram.com/reel/${name}${index}/` })),
});

const postsOf = async (key: string): Promise<unknown> => (await rest(service.url, "/usage", { key })).body.posts;

describe("reports over REST", () => {
  test("are listed newest first as summaries, and read by id and handle", async () => {
    const { accountId, key } = await service.createCaller();
    expect((await rest(service.url, "/competitor-reports", { key })).body).toEqual({ reports: [] });
    const first = await collect(accountId, { collectedAt: "2026-09-30T00:00:00Z" });
    const other = await collect(accountId, { handle: "@Bake.Weekly", collectedAt: "2026-09-29T00:00:00+02:00" });
    const newest = await collect(accountId, { collectedAt: "2026-10-01T00:00:00Z" });

    const { status, body } = await rest(service.url, "/competitor-reports", { key });
    expect([status, body]).toEqual([
      200,
      {
        reports: [
          { id: newest.id, handle: "cook.daily", createdAt: "2026-10-01T00:00:00.000Z", reelsAnalyzed: 16 },
          { id: first.id, handle: "cook.daily", createdAt: "2026-09-30T00:00:00.000Z", reelsAnalyzed: 16 },
          { id: other.id, handle: "bake.weekly", createdAt: "2026-09-28T22:00:00.000Z", reelsAnalyzed: 16 },
        ],
      },
    ]);
    const full = await rest(service.url, `/competitor-reports/${first.id}`, { key });
    expect(full.status).toBe(200);
    const { topReels, comparisons, intervals, insights, ...findings } = full.body;
    expect(findings).toMatchObject({
      ...body.reports[1],
      timezone: "Asia/Kolkata",
      ...sixteenReelsFindings,
      bestPostingTimes: [],
      postingBlocks: [{ hours: { from: 0, to: 6 }, reels: 16, settledReels: 16, avgViews: 1_131.25 }],
    });
    expect(comparisons).toContainEqual(
      expect.objectContaining({ kind: "engagement", clear: true, reels: 8, otherReels: 8, sureness: "sure" }),
    );
    expect(intervals.medianLikes).toEqual({ low: 20, high: 50 });
    expect(insights).toContainEqual(
      expect.stringMatching(
        /^The newest 8 typically got 2\.\d times the engagement of the oldest 8\. Typically 5% engagement for the newest 8, 2% for the oldest 8\. Sure: between .* on the next reels\.$/,
      ),
    );
    // How often chance does this is for those who check.
    expect(insights.join(" ")).not.toContain("Chance alone");
    expect(findings.details.join(" ")).toContain("Chance alone does this in");
    expect(topReels).toHaveLength(10);
    expect(topReels[0]).toEqual({
      url: "https://www.instagram.com/reel/R8/",
      caption: "Day 8",
      views: 4_000,
      likes: 80,
      comments: 0,
      engagementRate: 2,
      postedAt: "2026-09-08T22:30:00.000Z",
      durationSeconds: 16,
      multiple: 4,
    });
    const byHandle = await rest(service.url, `/competitor-reports/${encodeURIComponent("@COOK.daily")}`, { key });
    expect(byHandle.body.id).toBe(newest.id);
  });

  test("that are missing or another account's are 404 for both its keys", async () => {
    const owner = await service.createCaller();
    const stranger = await service.createCaller();
    const { id } = await collect(owner.accountId);
    const second = await owner.createKey();
    for (const key of [owner.key, second.key])
      expect((await rest(service.url, `/competitor-reports/${id}`, { key })).status).toBe(200);
    for (const reportName of [id, "@cook.daily", "rep_0000000000000000", "@nobody", "@", "nonsense", "%00", `${id}%20`])
      expect(
        await rest(service.url, `/competitor-reports/${reportName}`, { key: stranger.key }),
        reportName,
      ).toMatchObject({
        status: 404,
        body: { error: { code: "notFound" } },
      });
    expect((await rest(service.url, "/competitor-reports", { key: stranger.key })).body).toEqual({ reports: [] });
    expect(await postsOf(stranger.key)).toEqual({ used: 0, limit: 500 });
  });

  test("stand among the newest reports of the caller's other accounts", async () => {
    const owner = await service.createCaller({ plan: "creator" });
    const views = (count: number): Partial<ReelCollection> => ({
      reels: sixteenReels.reels.map((reel) => ({ ...reel, views: count, likes: count / 10 })),
    });
    await collect(owner.accountId, { ...views(500), handle: "low" });
    await collect(owner.accountId, { ...views(90_000), handle: "was.low", collectedAt: "2026-09-30T00:00:00Z" });
    await collect(owner.accountId, { ...views(9_000), handle: "was.low" });
    await collect(owner.accountId, { ...views(80_000), handle: "high" });
    await collect((await service.createCaller()).accountId, { ...views(1), handle: "strangers" });
    const { id } = await collect(owner.accountId, views(10_000));
    const { body } = await rest(service.url, `/competitor-reports/${id}`, owner);
    expect(body.benchmarks).toEqual([
      {
        metric: "medianViews",
        value: 10_000,
        above: 2,
        of: 3,
        text: "Median views 10K, above 2 of the 3 other accounts in your reports.",
      },
      {
        metric: "avgEngagementRate",
        value: 10,
        above: 0,
        same: 3,
        of: 3,
        text: "Engagement 10%, the same as all 3 other accounts in your reports.",
      },
      expect.objectContaining({ metric: "postingFrequencyPerWeek", value: 7, above: 0, of: 3 }),
    ]);
    expect(body.insights).toContain("Median views 10K, above 2 of the 3 other accounts in your reports.");
  });

  test("name the only other account, and whose figure is higher", async () => {
    const owner = await service.createCaller({ plan: "creator" });
    await collect(owner.accountId, {
      handle: "bo",
      reels: sixteenReels.reels.map((reel) => ({ ...reel, views: 12_000 })),
    });
    const { id } = await collect(owner.accountId);
    const { body } = await rest(service.url, `/competitor-reports/${id}`, owner);
    expect(body.benchmarks[0]).toMatchObject({
      other: { handle: "bo", value: 12_000 },
      text: "Median views 1K, below @bo (12K).",
    });
  });

  test("take the time zone of the handle's newest report, and need one", async () => {
    const { accountId } = await service.createCaller();
    await expect(collect(accountId, { ...manyReels(1), timezone: undefined })).rejects.toMatchObject({
      code: "invalidRequest",
      message: expect.stringMatching(/^`timezone`: name the time zone of the audience/),
    });
    await collect(accountId, { ...manyReels(1), timezone: "America/New_York", collectedAt: "2026-09-30T00:00:00Z" });
    await collect(accountId, { ...manyReels(1), timezone: "Asia/Ho_Chi_Minh" });
    const report = await collect(accountId, { ...manyReels(2), handle: "@COOK.daily", timezone: undefined });
    expect(report.timezone).toBe("Asia/Ho_Chi_Minh");
  });

  test("cannot be made there, and an endless id is refused", async () => {
    const { key } = await service.createCaller();
    expect(await rest(service.url, "/competitor-reports", { key, body: sixteenReels })).toMatchObject({ status: 405 });
    expect(await rest(service.url, `/competitor-reports/${"x".repeat(129)}`, { key })).toMatchObject({
      status: 400,
      body: { error: { code: "invalidRequest", message: expect.stringContaining("`id`") } },
    });
  });
});

describe("reports for an agent", () => {
  test("equal those of REST with totals by block, id or handle", async () => {
    const owner = await service.createCaller();
    const { id } = await collect(owner.accountId);
    const { call, close } = await connectAgent(service.url, owner.key);
    const full = (await rest(service.url, `/competitor-reports/${id}`, owner)).body;
    const sharedFields =
      "id handle createdAt reelsAnalyzed timezone metrics advice insights bestPostingTimes postingBlocks topReels";
    const others = Object.keys(full).filter(
      (name) => !`${sharedFields} firstPostedAt lastPostedAt outliers`.includes(name),
    );
    for (const name of others) delete full[name];
    full.outliers = full.outliers.map(({ url, multiple }: { url: string; multiple: number }) => ({ url, multiple }));
    for (const input of [{ id }, { handle: "cook.daily" }, { handle: "@Cook.Daily" }]) {
      const { text, data } = await call("get_competitor_report", input);
      expect(data, JSON.stringify(input)).toEqual(full);
      expect(text).toContain(`id: ${full.id}\nhandle: ${full.handle}\n`);
      expect(data.postingBlocks).toHaveLength(1);
      expect(data.bestPostingTimes).toEqual([]);
    }
    await close();
  });

  test("need exactly one of id and handle, and are nobody else's", async () => {
    const { id } = await collect((await service.createCaller()).accountId);
    const { call, close } = await connectAgent(service.url, (await service.createCaller()).key);
    for (const [input, says] of [
      [{}, /^\[invalidRequest\] .*give either `id` or `handle`/],
      [{ id, handle: "cook.daily" }, /^\[invalidRequest\] .*not both/],
      [{ handle: "cook daily" }, /^\[invalidRequest\] `handle`/],
      [{ account: "cook.daily" }, /^\[invalidRequest\] `account`/],
      [{ id }, /^\[notFound\]/],
      [{ handle: "cook.daily" }, /^\[notFound\]/],
    ] as const) {
      const { isError, text, data } = await call("get_competitor_report", input);
      expect([isError, data]).toEqual([true, undefined]);
      expect(text).toMatch(says);
    }
    await close();
  });
});

describe("reels analyzed", () => {
  test("count for the account, up to its plan and never partly", async () => {
    const caller = await service.createCaller();
    const { accountId, key } = caller;
    expect(await postsOf(key)).toEqual({ used: 0, limit: 500 });
    await collect(accountId, manyReels(490));
    await expect(collect(accountId, manyReels(11))).rejects.toMatchObject({
      code: "limitReached",
      status: 403,
      message: expect.stringMatching(/11 reels, and 490 of the plan's 500 are used/),
    });
    expect(await postsOf(key)).toEqual({ used: 490, limit: 500 });
    await collect(accountId, { reels: [...manyReels(10).reels!, ...manyReels(10).reels!] });
    expect(await postsOf((await caller.createKey()).key)).toEqual({ used: 500, limit: 500 });
    await expect(collect(accountId, manyReels(1))).rejects.toMatchObject({ code: "limitReached" });
    expect((await rest(service.url, "/competitor-reports", { key })).body.reports).toHaveLength(2);
  });

  test("restart with a paid plan's period, and are unlimited on Creator", async () => {
    const hobby = await service.createCaller({ plan: "hobby" });
    const creator = await service.createCaller({ plan: "creator" });
    for (let name = 0; name < 10; name += 1) await collect(hobby.accountId, manyReels(1_000));
    await collect(creator.accountId, manyReels(1_000));
    expect(await postsOf(hobby.key)).toEqual({ used: 10_000, limit: 10_000 });
    expect(await postsOf(creator.key)).toEqual({ used: 1_000, limit: null });
    await expect(collect(hobby.accountId, manyReels(1))).rejects.toMatchObject({ code: "limitReached" });
    service.clock.advance(32 * 24 * hour);
    expect(await postsOf(hobby.key)).toEqual({ used: 0, limit: 10_000 });
    await collect(hobby.accountId, manyReels(1));
    expect(await postsOf(hobby.key)).toEqual({ used: 1, limit: 10_000 });
  });

  test("from a clock that is ahead count now; other days are refused", async () => {
    const { accountId, key } = await service.createCaller();
    const ahead = (hours: number) => new Date(service.clock.now().getTime() + hours * hour).toISOString();
    const { createdAt } = await collect(accountId, { ...manyReels(1), collectedAt: ahead(2) });
    expect(createdAt.getTime()).toBeLessThanOrEqual(service.clock.now().getTime());
    await expect(collect(accountId, { ...manyReels(1), collectedAt: ahead(25) })).rejects.toMatchObject({
      code: "invalidRequest",
    });
    expect(await postsOf(key)).toEqual({ used: 1, limit: 500 });
  });
});
