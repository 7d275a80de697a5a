import { reportSentences, type Comparison } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { comparisonsOf } from "../../src/features/reports/comparisons-of.ts";
import { reportOfReels } from "../../src/features/reports/ingest-collection.ts";
import { accountOf, anEveningAccount, collectedAt, type AccountPlan } from "./made-up-accounts.ts";

const clearOf = (seed: number, plan: AccountPlan): Comparison[] =>
  comparisonsOf(accountOf(seed, plan), collectedAt, "UTC").filter(({ clear }) => clear);

/** How many of the accounts have a clear difference that counts. */
function accountsWith(
  accounts: number,
  plan: AccountPlan | (() => AccountPlan),
  counts: (comparison: Comparison) => boolean = () => true,
): number {
  let found = 0;
  for (let seed = 0; seed < accounts; seed += 1)
    if (clearOf(seed, typeof plan === "function" ? plan() : plan).some(counts)) found += 1;
  return found;
}

const isOfHours = ({ kind }: Comparison): boolean => kind === "postingHours";
const eveningWins = ({ kind, hours, times }: Comparison): boolean =>
  kind === "postingHours" && times > 1 === (hours!.from === 18);
const slope = (index: number): number => Math.exp(1.4 * (index / 80));
const eveningLater: AccountPlan = {
  hour: (index, random) => (random() < index / 80 ? 18 + Math.floor(random() * 4) : 8 + Math.floor(random() * 4)),
  factor: ({ index }) => slope(index),
};

describe("a takeaway", () => {
  // At 5 % of 200 accounts, 10 are expected, and more than 18 are seen in fewer than 1 of 100 runs of fair dice.
  test("is shown for at most one in twenty accounts in which nothing matters", () =>
    expect(accountsWith(200, {})).toBeLessThanOrEqual(18));

  // At 90 % of 100 accounts, fewer than 83 are seen in 1 of 100 runs.
  test("finds twenty of eighty reels in the evening that get 2.5 times the views", () =>
    expect(accountsWith(100, () => anEveningAccount(2.5), eveningWins)).toBeGreaterThanOrEqual(83));

  // At 5 % of 60 accounts, more than 8 are seen in fewer than 1 of 200 runs.
  test.each<[string, AccountPlan, ((comparison: Comparison) => boolean)?]>([
    ["an account that grows while its reels move to the evening", eveningLater, isOfHours],
    ["luck that lasts", { memory: 0.6 }],
    ["luck that lasts, and hours in runs", { memory: 0.6, hour: (index) => (Math.floor(index / 8) % 2 ? 19 : 9) }],
    ["half of the views hidden", { change: (_, { random }) => (random() < 0.5 ? { views: null } : {}) }],
    ["three viral reels", { factor: ({ random }) => (random() < 3 / 80 ? 100 : 1) }],
    ["six reels of eighty in the evening", { hour: (index) => (index % 13 === 5 ? 20 : 9) }],
    ["most views equal", { change: (_, { random }) => ({ views: random() < 0.7 ? 1_000 : 2_000 }) }],
    [
      "all reels of one day",
      { change: (_, { hour, index }) => ({ postedAt: new Date(Date.UTC(2026, 10, 2, hour, index % 60)) }) },
    ],
    ["twelve reels", { reels: 12 }],
  ])("is not invented by %s", (_name, plan, counts) => expect(accountsWith(60, plan, counts)).toBeLessThanOrEqual(8));

  test("needs something to compare: not of equal views, and not of times in a single hour", () => {
    expect(comparisonsOf(accountOf(1, { change: () => ({ views: 1_000, likes: 10 }) }), collectedAt, "UTC")).toEqual(
      [],
    );
    const oneHour = comparisonsOf(accountOf(1, { hour: () => 9 }), collectedAt, "UTC");
    expect(oneHour.length).toBeGreaterThan(0);
    expect(oneHour.filter(isOfHours)).toEqual([]);
  });

  test("leaves out views that are hidden or younger than 72 hours", () => {
    const young = (reel: { postedAt: Date | null }) => ({
      ...reel,
      postedAt: new Date(collectedAt.getTime() - 72 * 3_600_000),
    });
    const reels = accountOf(4, anEveningAccount(4));
    const extra = reels.map((reel) => ({ ...reel, ...young(reel), url: `${reel.url}young`, views: 9_000_000 }));
    const hidden = reels.map((reel) => ({ ...reel, url: `${reel.url}hidden`, views: null }));
    expect(comparisonsOf([...reels, ...extra, ...hidden], collectedAt, "UTC")).toEqual(
      comparisonsOf(reels, collectedAt, "UTC"),
    );
  });
});

describe("what is clear", () => {
  const reels = accountOf(7, anEveningAccount(4));
  const { findings } = reportOfReels(
    { handle: "h", timezone: "UTC", collectedAt: collectedAt.toISOString(), reels: [] },
    reels,
    collectedAt,
  );
  const [first] = findings.comparisons ?? [];

  test("has its figures, its interval and two typical reels as proof", () => {
    expect(first).toMatchObject({ kind: "postingHours", clear: true, reels: 20, otherReels: 60 });
    const inEvening = reels.filter(({ postedAt }) => postedAt!.getUTCHours() >= 18);
    const [one, other] = first!.proof;
    expect(inEvening.map(({ url }) => url)).toContain(one!.url);
    expect(inEvening.map(({ url }) => url)).not.toContain(other!.url);
    expect(Math.abs(Math.log(one!.views! / first!.typical))).toBeLessThan(0.3);
    expect(first!.low).toBeGreaterThan(1);
    expect(first!.low).toBeLessThan(4);
    expect(first!.high).toBeGreaterThan(4);
  });

  test("is worded in one place, and all that is not clear in one sentence", () => {
    expect(reportSentences(80, findings.comparisons!)[0]).toMatch(
      /^Reels posted 18:00–24:00 get \d(\.\d)? times the views\. Typically [\d,]+ views for these 20, [\d,]+ for the other 60\. 95% sure: between [\d.]+ and [\d.]+ times\. Chance alone does this in fewer than 1 of \d00 reports\.$/,
    );
    const rest = findings.comparisons!.filter(({ clear }) => !clear);
    expect(reportSentences(80, rest)).toEqual([
      expect.stringMatching(/^No clear difference by (?=.*\blength\b)(?=.*\bday of the week\b)(?=.*\band \b).*\.$/),
    ]);
    expect(reportSentences(4, [])).toEqual([
      "Only 4 reels were analyzed: at least 12 are needed to say more than averages.",
    ]);
  });

  test("allows best times only within it: hours above the typical one with three reels or more", () => {
    const often: AccountPlan = {
      hour: (index) => (index % 4 === 0 ? 19 : index % 4 === 1 ? 9 : 13),
      factor: ({ hour }) => (hour === 19 ? 4 : 1),
    };
    const reportOf = (plan: AccountPlan) =>
      reportOfReels(
        { handle: "h", timezone: "UTC", collectedAt: collectedAt.toISOString(), reels: [] },
        accountOf(3, plan),
        collectedAt,
      ).findings;
    const { bestPostingTimes = [], metrics } = reportOf({ ...often, reels: 200 });
    expect(bestPostingTimes.length).toBeGreaterThan(2);
    expect(bestPostingTimes.every(({ hour }) => hour === 19)).toBe(true);
    expect(bestPostingTimes.every(({ avgViews }) => avgViews > metrics.medianViews!)).toBe(true);
    expect(reportOf({ ...often, factor: () => 1, reels: 200 })).not.toHaveProperty("bestPostingTimes");
  });
});
