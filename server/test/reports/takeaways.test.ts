import type { Comparison } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { steadySentence } from "../../src/describe/report/report-sentences.ts";
import { steadyFiguresOf } from "../../src/statistics/comparisons-of.ts";
import type { SeenReel } from "../../src/statistics/merge-reels.ts";
import { reelsToStartFrom } from "../../src/statistics/outliers.ts";
import { sampleOf } from "../../src/statistics/sample.ts";
import { accountOf, anEveningAccount, collectedAt, compare, type AccountPlan } from "./made-up-accounts.ts";

/** Standard deviations of the logarithm of views: what we assumed first, and the median of 179 real accounts. */
const spreads = [0.8, 0.99];

const clearOf = (seed: number, plan: AccountPlan): Comparison[] =>
  compare(accountOf(seed, plan)).filter(({ clear }) => clear);

/** How many of the accounts have a clear difference that counts. */
function accountsWith(
  accounts: number,
  plan: AccountPlan | (() => AccountPlan),
  counts: (comparison: Comparison) => boolean = () => true,
): number {
  let count = 0;
  for (let seed = 0; seed < accounts; seed += 1)
    if (clearOf(seed, typeof plan === "function" ? plan() : plan).some(counts)) count += 1;
  return count;
}

const isOfHours = ({ kind }: Comparison): boolean => kind === "postingHours";
const eveningWins = ({ kind, hours, times }: Comparison): boolean =>
  kind === "postingHours" && times > 1 === (hours!.from === 18);
const slope = (index: number): number => Math.exp(1.4 * (index / 80));
const eveningLater: AccountPlan = {
  hour: (index, random) => (random() < index / 80 ? 18 + Math.floor(random() * 4) : 8 + Math.floor(random() * 4)),
  factor: ({ index }) => slope(index),
};

const words = ["bread", "soup", "#rye", "oven", "#tips", "dough", "crust", "#home"];
const chatter = (random: () => number): string => words.filter(() => random() < 0.25).join(" ");

describe.each(spreads)("where log views spread by %d, a takeaway", (spread) => {
  const sigma = (): number => spread;

  // At 5 % of 200 accounts, 10 are expected, and more than 18 are seen in fewer than 1 of 100 runs of fair dice.
  test("is shown for at most one in twenty accounts without effects", () =>
    expect(accountsWith(200, { sigma })).toBeLessThanOrEqual(18));

  // Measured: 83 and 54 of 100 accounts. A difference must also hold between the account's own periods.
  test("finds 20 of 80 reels with 2.5 times the views", () =>
    expect(accountsWith(100, () => ({ ...anEveningAccount(2.5), sigma }), eveningWins)).toBeGreaterThanOrEqual(
      spread < 0.9 ? 74 : 38,
    ));

  test("finds 50 of 200 reels with 2.5 times the views", () =>
    expect(accountsWith(40, () => ({ ...anEveningAccount(2.5, 200), sigma }), eveningWins)).toBeGreaterThanOrEqual(36));

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
    ["topics and hashtags that don't matter", { change: (_, { random }) => ({ caption: chatter(random) }) }],
  ])("is not invented by %s", (_name, plan, counts) =>
    expect(accountsWith(60, { sigma, ...plan }, counts)).toBeLessThanOrEqual(8),
  );
});

describe("comparisons", () => {
  test("need something to compare: not equal views, nor a single hour", () => {
    expect(compare(accountOf(1, { change: () => ({ views: 1_000, likes: 10 }) }))).toEqual([]);
    const oneHour = compare(accountOf(1, { hour: () => 9 }));
    expect(oneHour.length).toBeGreaterThan(0);
    expect(oneHour.filter(isOfHours)).toEqual([]);
  });

  test("leave out views that are hidden or younger than 72 hours", () => {
    const young = (reel: { postedAt: Date | null }) => ({
      ...reel,
      postedAt: new Date(collectedAt.getTime() - 72 * 3_600_000),
    });
    const reels = accountOf(4, anEveningAccount(4));
    const extra = reels.map((reel) => ({ ...reel, ...young(reel), url: `${reel.url}young`, views: 9_000_000 }));
    const hidden = reels.map((reel) => ({ ...reel, url: `${reel.url}hidden`, views: null }));
    expect(compare([...reels, ...extra, ...hidden])).toEqual(compare(reels));
  });

  test("find a topic with 2.5 times the views, with its name", () => {
    const plan: AccountPlan = {
      reels: 200,
      sigma: () => 0.99,
      change: ({ views }, { random }) => {
        const caption = chatter(random);
        return { caption, views: caption.includes("#rye") ? Math.round(views! * 2.5) : views };
      },
    };
    const count = accountsWith(20, plan, ({ kind, topic, times }) => kind === "topic" && topic === "#rye" && times > 1);
    expect(count).toBeGreaterThanOrEqual(18);
  });

  // Measured: 23 and 29 of 40. Of the newest half, third and quarter alone 6 and 3.
  test.each([
    ["late", 66, 18],
    ["early", 22, 24],
  ])("find a level that changed %s", (_name, changed, atLeast) => {
    const plan: AccountPlan = { factor: ({ index }) => (index >= changed ? 2.5 : 1) };
    const isHigher = ({ kind, times }: Comparison): boolean => kind === "views" && times > 1;
    expect(accountsWith(40, plan, isHigher)).toBeGreaterThanOrEqual(atLeast);
  });

  test("are shown with the ratio nearest to the forecast that their medians don't contradict", () => {
    const plan: AccountPlan = { reels: 40, sigma: () => 0.9, factor: ({ hour }) => (hour >= 14 ? 4 : 1) };
    const claims = Array.from({ length: 100 }, (_, seed) => clearOf(seed, plan)).flat();
    const apart = claims.map(({ typical, otherTypical, times }) => Math.abs(Math.log(typical / otherTypical / times)));
    expect(Math.max(...apart)).toBeLessThan(Math.log(1.5));
    // Some would have been refused, because their medians are farther from the forecast.
    expect(apart.filter((distance) => distance > Math.log(1.44)).length).toBeGreaterThanOrEqual(5);
    for (const { times, low, high } of claims) {
      expect(times).toBeGreaterThanOrEqual(low);
      expect(times).toBeLessThanOrEqual(high);
    }
  });

  test("find what changes engagement though not views", () => {
    const plan: AccountPlan = {
      reels: 200,
      change: ({ views, durationSeconds }, { random }) => ({
        likes: Math.round(views! * (durationSeconds! > 48 ? 0.03 : 0.06) * (0.5 + random())),
      }),
    };
    const count = accountsWith(
      20,
      plan,
      ({ kind, outcome, upTo }) => kind === "length" && outcome === "engagement" && upTo !== undefined,
    );
    expect(count).toBe(20);
  });

  test("have figures, an interval and two typical reels as proof", () => {
    const reels = accountOf(7, anEveningAccount(4));
    const [first] = compare(reels);
    expect(first).toMatchObject({ kind: "postingHours", outcome: "views", clear: true, reels: 20, otherReels: 60 });
    const inEvening = reels.filter(({ postedAt }) => postedAt!.getUTCHours() >= 18);
    const [one, other] = first!.proof;
    expect(inEvening.map(({ url }) => url)).toContain(one!.url);
    expect(inEvening.map(({ url }) => url)).not.toContain(other!.url);
    expect(Math.abs(Math.log(one!.views! / first!.typical))).toBeLessThan(0.3);
    expect(first!.low).toBeGreaterThan(1);
    expect(first!.low).toBeLessThan(4);
    expect(first!.high).toBeGreaterThan(4);
  });
});

describe("what makes no difference", () => {
  const steady = (reels: readonly SeenReel[]) => {
    const sample = sampleOf(reels, collectedAt);
    return "counted" in sample ? steadyFiguresOf(sample, "UTC") : [];
  };
  const isWeekend = ({ postedAt }: SeenReel): boolean => [0, 6].includes(postedAt!.getUTCDay());
  const plan: AccountPlan = { reels: 200, sigma: () => 0.6 };

  test("is said of days and of posting often, plainly, with its range", () => {
    const figures = steady(accountOf(5, plan));
    expect(figures.map(({ kind }) => kind)).toEqual(["postingDays", "postingOften"]);
    const [days, often] = figures.map(steadySentence);
    expect(days).toMatch(
      /^Day of the week: no difference \(weekends get \d(\.\d)? to \d(\.\d)? times what other days get\)\.$/,
    );
    expect(often).toMatch(
      /^Posting often costs no views per reel \(soon after another reel they get .* times what others get\)\.$/,
    );
    for (const { low, high } of figures) {
      expect(low).toBeLessThan(1);
      expect(high).toBeGreaterThan(1);
    }
  });

  test("isn't claimed of hours that differ, or with too few reels", () => {
    const better = (reel: SeenReel) => ({ views: isWeekend(reel) ? reel.views! * 3 : reel.views });
    const calm: AccountPlan = { ...plan, sigma: () => 0.3 };
    expect(steady(accountOf(5, { ...calm, change: better })).map(({ kind }) => kind)).toEqual(["postingOften"]);
    expect(steady(accountOf(5, { reels: 24, sigma: () => 0.99 }))).toEqual([]);
    // With so few reels a ratio of 1.5, which others are advised to act on, can't be ruled out.
    for (let seed = 0; seed < 40; seed += 1)
      for (const { low, high } of steady(accountOf(seed, { reels: 80 }))) {
        expect(low).toBeGreaterThan(1 / 1.5);
        expect(high).toBeLessThan(1.5);
      }
    // Reels that follow another one within the day get a quarter of the views.
    const soon = accountOf(5, plan).map((reel, index) => {
      const days = index - (index % 2) + (index % 2) * 0.2;
      const postedAt = new Date(collectedAt.getTime() - (210 - days) * 86_400_000);
      return { ...reel, postedAt, views: index % 2 === 1 ? Math.round(reel.views! / 4) : reel.views };
    });
    expect(steady(soon).map(({ kind }) => kind)).not.toContain("postingOften");
  });
});

test("YouTube videos younger than 60 days are excluded; other reels aren't", () => {
  const on = (platform: SeenReel["platform"], days: number) =>
    accountOf(4, { ...anEveningAccount(4), change: () => ({ platform }) }).map((reel, index) => ({
      ...reel,
      url: `${reel.url}?again=${days}`,
      postedAt: new Date(collectedAt.getTime() - (days - (index % 10) / 10) * 86_400_000),
      views: 12,
    }));
  const old = accountOf(4, {
    ...anEveningAccount(4),
    change: (reel) => ({
      platform: "youtube",
      postedAt: new Date(reel.postedAt!.getTime() - 60 * 86_400_000),
    }),
  });
  const young = [...on("youtube", 59), ...on("youtube", 30), ...on("youtube", 4)];
  expect(compare([...old, ...young])).toEqual(compare(old));
  expect(compare(old).some(({ clear }) => clear)).toBe(true);
  expect(sampleOf(young, collectedAt)).toMatchObject({ reason: "stillGrowing" });
  expect(sampleOf(on("tiktok", 30), collectedAt)).toMatchObject({ outcome: "views" });
});

describe("reels to start from", () => {
  const reel = (code: string, multiple?: number) => ({
    url: `https://www.instagram.com/reel/${code}/`,
    ...(multiple !== undefined && { multiple }),
  });
  const examplesOf = (...given: Parameters<typeof reelsToStartFrom>) =>
    reelsToStartFrom(...given).map(({ url, multiple }) => [url.split("/").at(-2), multiple]);

  test("stand out among their neighbors; a single outlier is no example", () => {
    expect(
      examplesOf([reel("A", 1.2), reel("B", 2.9), reel("C", 6), reel("D")], [reel("OLD", 8), reel("C", 6)]),
    ).toEqual([
      ["OLD", 8],
      ["C", 6],
      ["B", 2.9],
    ]);
    expect(examplesOf([reel("ONE", 1000), reel("A", 1.8), reel("B", 1)], [reel("ONE", 1000)])).toEqual([["A", 1.8]]);
  });

  test("are the highest without a multiple where none stands out", () => {
    expect(
      examplesOf([reel("ONE", 1000), reel("A", 1), reel("B", 1.4), reel("C"), reel("D", 1)], [reel("ONE", 1000)]),
    ).toEqual([
      ["A", undefined],
      ["B", undefined],
      ["C", undefined],
    ]);
    expect(examplesOf([])).toEqual([]);
  });
});
