import { describe, expect, test } from "vitest";
import { ingestCollection } from "../../src/features/reports/ingest-collection.ts";
import { aReel, transcribe, transcriptOf, type Said } from "../database/conformance/fixtures.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { sixteenReels } from "./golden.ts";

const service = serviceOfTests({ transcriber: null });
const day = 86_400_000;

interface Seen extends Said {
  readonly daysOld?: number;
  /** Days after it was posted at which it was transcribed. */
  readonly readAfter?: number;
  readonly seconds?: number;
  readonly platform?: string;
}

/** A script in an account's library. */
async function addScript(accountId: string, seen: Seen): Promise<string> {
  const { daysOld = 100, readAfter = 90, seconds = 20, platform = "standin", ...said } = seen;
  const reel = { ...aReel(), platform };
  const postedAt = new Date(service.clock.now().getTime() - daysOld * day);
  const readAt = new Date(postedAt.getTime() + readAfter * day);
  const transcript = transcriptOf(reel, { handle: "cook.daily", ...said }, readAt);
  await transcribe(service.store, accountId, said, readAt, {
    address: reel,
    reel: { ...transcript.reel, postedAt: postedAt.toISOString(), durationSeconds: seconds },
  });
  return reel.url;
}

/** Sixty reels of which those with #rye get three times the views. */
async function addAccount(accountId: string, handle = "cook.daily"): Promise<void> {
  for (let index = 0; index < 60; index += 1)
    await addScript(accountId, {
      handle,
      caption: index % 3 === 0 ? "loaf #rye" : "loaf",
      text: index % 2 === 0 ? "How long do you knead?" : "I knead for ten minutes.",
      views: Math.round((index % 3 === 0 ? 3 : 1) * 10_000 * Math.exp(((index * 7_919) % 13) / 6 - 1)),
      likes: 500,
      comments: 20,
      daysOld: 400 - index * 5,
    });
}

describe("a report from the library", () => {
  test("is drawn from captions, counts, dates and speech, says what is missing, and leaves no trace", async () => {
    const { accountId, key } = await service.createCaller();
    await addAccount(accountId);
    const used = (await rest(service.url, "/usage", { key })).body.posts;
    const { status, body } = await rest(service.url, "/competitor-reports/@Cook.Daily?from=library", { key });
    expect([status, body.id, body.handle, body.reelsAnalyzed, body.timezone]).toEqual([
      200,
      "@cook.daily",
      "cook.daily",
      60,
      "UTC",
    ]);
    expect(body.metrics).toMatchObject({ medianViews: expect.any(Number), postingFrequencyPerWeek: 0 });
    expect(body.advice.map(({ text }: { text: string }) => text)).toContain("Do more with #rye.");
    expect(body.comparisons.map(({ kind }: { kind: string }) => kind)).toContain("spokenOpening");
    // Reels that nobody transcribed may lie between these.
    for (const absent of ["nextReel", "benchmarks", "followers"]) expect(body[absent] ?? []).toEqual([]);
    expect(body.comparisons.filter(({ kind }: { kind: string }) => ["pause", "repost"].includes(kind))).toEqual([]);
    expect(body.missing).toEqual([
      expect.stringMatching(/^Drawn from 60 reels of @cook\.daily in your library\. Its other reels are missing/),
      expect.stringMatching(/followers are missing/),
      "Posting times are in UTC, because no time zone of the audience is known.",
    ]);
    expect(body.insights.slice(-3)).toEqual(body.missing);
    expect((await rest(service.url, "/competitor-reports", { key })).body.reports).toEqual([]);
    expect((await rest(service.url, "/usage", { key })).body.posts).toEqual(used);

    const { call, close } = await connectAgent(service.url, key);
    const { data } = await call("get_competitor_report", { handle: "cook.daily", from: "library" });
    await close();
    expect(data.advice.map(({ text }: { text: string }) => text)).toEqual(
      body.advice.map(({ text }: { text: string }) => text),
    );
    expect(data.insights).toEqual(body.insights);
  });

  test("has the time zone that is given, or that of the account's newest report", async () => {
    const { accountId, key } = await service.createCaller();
    await addScript(accountId, { views: 10 });
    const { store, clock } = service;
    const account = await store.accounts.find(accountId);
    const collectedAt = clock.now().toISOString();
    await ingestCollection({ reports: store.reports, clock })(account!, { ...sixteenReels, collectedAt });
    const timezoneOf = async (query: string) =>
      (await rest(service.url, `/competitor-reports/@cook.daily?${query}`, { key })).body.timezone;
    expect(await timezoneOf("from=library")).toBe("Asia/Kolkata");
    expect(await timezoneOf("from=library&timezone=Europe/Lisbon")).toBe("Europe/Lisbon");
    const stored = await rest(service.url, "/competitor-reports/@cook.daily", { key });
    expect(stored.body.missing).toBeUndefined();
  });

  test("uses no counts that were read too early, and names what else it leaves out", async () => {
    const { accountId, key } = await service.createCaller();
    await addScript(accountId, { views: 1_000 });
    await addScript(accountId, { views: 3_000 });
    await addScript(accountId, { views: 7, readAfter: 1 });
    await addScript(accountId, { views: 9, readAfter: 2.9, handle: "Cook.Daily" });
    await addScript(accountId, { views: 900_000, platform: "youtube" });
    const { body } = await rest(service.url, "/competitor-reports/@cook.daily?from=library", { key });
    expect([body.reelsAnalyzed, body.metrics.medianViews]).toEqual([4, 2_000]);
    expect(body.missing.join(" ")).toMatch(
      /2 reels were transcribed so soon after posting that their counts aren't used/,
    );
    expect(body.missing.join(" ")).toMatch(/1 script of the same handle on another platform isn't used/);
    expect(body.notCompared).toMatchObject({ reason: "tooFewReels", reels: 4, needed: 12 });
  });

  test("needs a handle with scripts of one's own", async () => {
    const owner = await service.createCaller();
    await addScript(owner.accountId, { views: 10 });
    const { key } = await service.createCaller();
    for (const handle of ["@cook.daily", "@nobody", "@", "@%00", "@a%20b"])
      expect(await rest(service.url, `/competitor-reports/${handle}?from=library`, { key }), handle).toMatchObject({
        status: 404,
        body: { error: { code: "notFound" } },
      });
    for (const path of ["rep_4Tz8Qm1Lw0XcVb7K?from=library", "@cook.daily?from=report", "@cook.daily?timezone=UTC"])
      expect((await rest(service.url, `/competitor-reports/${path}`, { key: owner.key })).status, path).toBe(400);
    const { call, close } = await connectAgent(service.url, owner.key);
    const { text } = await call("get_competitor_report", { id: "rep_4Tz8Qm1Lw0XcVb7K", from: "library" });
    await close();
    expect(text).toMatch(/^\[invalidRequest\] .*`handle` with `from`/);
  });

  test("reads at most 1,000 scripts, the newest", async () => {
    const { accountId, key } = await service.createCaller({ plan: "creator" });
    for (let index = 0; index < 1_003; index += 1)
      await addScript(accountId, { views: 100, daysOld: 100 + index / 10, text: "I knead." });
    const { body } = await rest(service.url, "/competitor-reports/@cook.daily?from=library", { key });
    expect(body.reelsAnalyzed).toBe(1_000);
    const oldest = service.clock.now().getTime() - 200 * day;
    expect(Date.parse(body.firstPostedAt)).toBeGreaterThan(oldest);
    expect(body.missing).toContain("Only the 1,000 newest reels in your library are used.");
  }, 120_000);
});
