import type { Comparison, CompetitorReport, ReelCollection } from "@reelscript/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { signInNew, type SignedIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";
import { accountOf, type AccountPlan } from "./made-up-accounts.ts";
import type { Collected } from "./report-of-sixteen.ts";

const service = serviceOfTests({ transcriber: null });
let person: SignedIn;

beforeAll(async () => {
  person = await signInNew(service);
  const decision = { by: "operator", reason: "asked", now: service.clock.now() };
  await service.store.accounts.changePlan(person.accountId, "creator", decision);
});

/** The service's clock is before the made-up reels, so they are moved. */
const longAgo = (moment: Date): string => new Date(moment.getTime() - 300 * 24 * hour).toISOString();

/** Sends a made-up account as the dashboard does, and reads its report as an owner does. */
async function reported(
  plan: AccountPlan,
  change: (reel: Collected, index: number) => Partial<Collected> = () => ({}),
  seed = 21,
): Promise<CompetitorReport> {
  const reels = accountOf(seed, plan).map((reel, index): Collected => {
    const { platform: _, postedAt, ...seen } = reel;
    const collected: Collected = { ...seen, postedAt: longAgo(postedAt!) };
    return { ...collected, ...change(collected, index) };
  });
  const { id } = (await send({ reels })).body;
  return (await person.api("getCompetitorReport", { id })).body;
}

const send = (changes: Pick<ReelCollection, "reels">) =>
  person.api("importReport", {
    handle: "made.up",
    timezone: "UTC",
    collectedAt: longAgo(new Date("2026-11-20T10:00:00Z")),
    ...changes,
  });

const claimsOf = ({ comparisons = [] }: CompetitorReport): Comparison[] => comparisons.filter(({ clear }) => clear);

describe("no report contradicts itself", () => {
  test("in its claims: the medians agree with the ratio, and the interval says something and is rounded outward", async () => {
    let claims = 0;
    for (const [spread, luck] of [
      [0.4, 1],
      [0.6, 1],
      [0.9, 300],
      [2.5, 300],
    ] as const)
      for (let seed = 0; seed < 4; seed += 1) {
        const change = ({ views }: Collected, index: number): Partial<Collected> =>
          index % 3 === 0
            ? { caption: "loaf #rye", views: Math.round(views! * (index % 15 === 0 ? luck : 1) * 2.5) }
            : { caption: "loaf" };
        const report = await reported({ reels: 120, sigma: () => spread }, change, seed);
        const said = report.insights.join("\n");
        for (const { times, low, high, typical, otherTypical } of claimsOf(report)) {
          claims += 1;
          expect(Math.abs(Math.log(typical / otherTypical / times))).toBeLessThanOrEqual(Math.log(1.5) + 1e-9);
          expect(high / low).toBeLessThanOrEqual(10);
          expect(low > 1 || high < 1).toBe(true);
        }
        const intervals = [...said.matchAll(/between ([\d.]+) and ([\d.]+) times on the next reels/g)];
        expect(intervals).toHaveLength(claimsOf(report).length);
        for (const [index, [, least, most]] of intervals.entries()) {
          const { low, high } = claimsOf(report)[index]!;
          expect(Number(least)).toBeLessThanOrEqual(low);
          expect(Number(most)).toBeGreaterThanOrEqual(high);
          expect(Number(least) > 1 || Number(most) < 1).toBe(true);
        }
      }
    expect(claims).toBeGreaterThan(5);
  });

  test("in its counts: they are counted before the list is cut", async () => {
    const report = await reported({ reels: 200, sigma: () => 0.2 }, ({ views }, index) => ({
      views: index % 8 === 0 ? views! * 9 : views,
    }));
    expect([report.outliers!.length, report.outlierCount]).toEqual([10, 25]);
    expect(report.insights.join(" ")).toContain("25 reels got more than 3 times");
  });

  test.each<[string, (index: number) => Partial<Collected>]>([
    ["zeros", () => ({ views: 0, likes: 0, comments: 0 })],
    ["equal views", () => ({ views: 1_000, likes: 10, comments: 1 })],
    ["likes of 0 where views are hidden", () => ({ views: null, likes: 0, comments: 0 })],
  ])("by ranges that say nothing: %s", async (_name, change) => {
    const report = await reported({ reels: 30 }, (_, index) => change(index));
    expect(report.nextReel).toBeUndefined();
    expect(report.insights.join(" ")).not.toMatch(/between ([\d,.]+) and \1\b/);
    expect(claimsOf(report)).toEqual([]);
  });

  test.each(["likes", "comments"] as const)("by impossible %s: they are unknown, with a note", async (name) => {
    const report = await reported({ reels: 40 }, ({ views }, index) => (index < 3 ? { [name]: views! * 1_752 } : {}));
    expect(report.metrics.avgEngagementRate).toBeLessThan(100);
    for (const { engagementRate = 0 } of report.topReels) expect(engagementRate).toBeLessThan(100);
    expect(report.notes!.join(" ")).toContain(`3 reels have more ${name} than views, which is impossible`);
  });

  test("by the frequency of many posts on one date", async () =>
    expect(
      (await reported({ reels: 60 }, () => ({ postedAt: "2026-01-05T00:00:00Z" }))).metrics.postingFrequencyPerWeek,
    ).toBe(0));
});

test("5,000 posts are taken, and no more", async () => {
  const reels = Array.from({ length: 5_001 }, (_, index) => ({
    url: `https://www.instagram.com/reel/P${index}/`,
    views: 1_000 + ((index * 7_919) % 5_000),
    postedAt: longAgo(new Date(Date.UTC(2026, 4, 1) + index * hour)),
  }));
  expect(await send({ reels: reels.slice(1) })).toMatchObject({ status: 200, body: { reelsAnalyzed: 5_000 } });
  expect(await send({ reels })).toMatchObject({ status: 400, body: { error: { code: "invalidRequest" } } });
}, 60_000);

test("a report names the other account, and says of neither that it is yours", async () => {
  const reelsOf = (views: number) =>
    Array.from({ length: 20 }, (_, index) => ({
      url: `https://www.instagram.com/reel/V${views}x${index}/`,
      views: views + index,
      postedAt: longAgo(new Date(Date.UTC(2026, 8, index + 1))),
    }));
  const owner = await signInNew(service);
  const collectedAt = longAgo(new Date("2026-11-20T10:00:00Z"));
  const shared = { timezone: "UTC", collectedAt };
  await owner.api("importReport", { ...shared, handle: "bo", reels: reelsOf(9_000) });
  const { body } = await owner.api("importReport", { ...shared, handle: "ana", reels: reelsOf(2_000) });
  expect(body.benchmarks.map(({ text }: { text: string }) => text)).toContain("Median views 2.01K, below @bo (9.01K).");
  expect(JSON.stringify(body)).not.toMatch(/your other account|\byours\b/i);
});
