import { ReelCollection } from "@reelscript/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { benchmarkSentence } from "../../src/describe/report/report-sentences.ts";
import { fourReels, fourReelsFindings, sixteenReels, sixteenReelsFindings } from "./golden.ts";
import { alter, described, report, type Collected, withReels } from "./report-of-sixteen.ts";

describe("hand-checked reports", () => {
  test("of four reels has averages and top reels, but no claims", () => {
    const { findings, ...rest } = report(fourReels);
    expect(rest).toEqual({
      handle: "cook.daily",
      timezone: "Europe/Berlin",
      createdAt: new Date("2026-11-20T10:00:00Z"),
      reelsAnalyzed: 4,
    });
    expect(findings).toEqual(fourReelsFindings);
    expect(findings).not.toHaveProperty("comparisons");
    expect(described(fourReels)).toMatchObject({
      bestPostingTimes: [],
      advice: [],
      insights: [
        "Only 4 reels were analyzed: at least 12 are needed to compare them.",
        "1 reel is younger than 7 days and still grows.",
      ],
    });
  });

  test("of sixteen reels that are all alike: compared, and no difference found", () => {
    const alike = sixteenReels.reels.map((reel) => ({ ...reel, views: 1_000, likes: 10, comments: 1 }));
    expect(report({ ...sixteenReels, reels: alike }).findings).toMatchObject({
      notCompared: { reason: "allAlike", reels: 16, needed: 12 },
    });
  });

  test("of sixteen reels: posting hours in the report's zone, and clear differences", () => {
    const { topReels, comparisons = [], intervals, ...findings } = report(sixteenReels).findings;
    expect(findings).toMatchObject({
      ...sixteenReelsFindings,
      // 4,000 views among twelve neighbors with 1,000 or 700.
      outliers: [{ url: "https://www.instagram.com/reel/R8/", multiple: 4 }],
      // The ranks are 1.445 and 15.555 of 16, at 700 and 2,665, with two digits.
      nextReel: { outcome: "views", typical: 1_000, low: 700, high: 2_700 },
    });
    // The ends are the 4th and the 13th of 16 sorted values: the true median lies outside in 1 of 47 cases.
    expect(intervals?.medianViews).toEqual({ low: 1_000, high: 1_000 });
    expect(intervals?.medianLikes).toEqual({ low: 20, high: 50 });
    // 3.5 ± 1.96 standard errors of eight times 2 and eight times 5.
    expect(intervals?.avgEngagementRate?.low).toBeCloseTo(3.5 - 1.96 * Math.sqrt((16 * 1.5 ** 2) / 15 / 16), 9);
    expect(intervals?.postingFrequencyPerWeek).toEqual({ low: 7, high: 7 });
    const trend = comparisons.find(({ kind }) => kind === "engagement");
    expect(trend).toMatchObject({ clear: true, reels: 8, typical: 5, otherReels: 8, otherTypical: 2 });
    // Found 2.5 times, and forecast a little less for the next reels.
    expect(trend?.times).toBeGreaterThan(2.3);
    expect(trend?.times).toBeLessThan(2.5);
    expect(topReels).toHaveLength(10);
    expect(topReels[0]).toMatchObject({ views: 4_000, likes: 80, comments: 0, engagementRate: 2 });
  });
});

describe("what is drawn over time", () => {
  const posted = (...reels: Partial<Collected>[]) =>
    report(
      withReels(
        reels.map((reel, index) => ({ url: `https://www.instagram.com/reel/T${index}/`, ...reel })),
        { timezone: "America/New_York", collectedAt: "2026-11-20T10:00:00Z" },
      ),
    ).findings;

  test("has every week of the zone's calendar, despite pauses and clock changes", () => {
    // New York leaves summer time on Sunday 1 November 2026. 03:30 UTC on Monday is still Sunday there.
    const { weeks } = posted(
      { postedAt: "2026-10-19T03:30:00Z", views: 10 },
      { postedAt: "2026-11-09T04:59:00Z", views: 30 },
      { postedAt: "2026-11-09T05:00:00Z" },
    );
    expect(weeks).toEqual([
      { start: "2026-10-12", reels: 1, avgViews: 10, medianViews: 10 },
      { start: "2026-10-19", reels: 0 },
      { start: "2026-10-26", reels: 0 },
      { start: "2026-11-02", reels: 1, avgViews: 30, medianViews: 30 },
      { start: "2026-11-09", reels: 1 },
    ]);
  });

  test("counts each reel in its hour, and averages known, settled views", () => {
    const { postingHours } = posted(
      { postedAt: "2026-11-08T05:10:00Z", views: 100 },
      { postedAt: "2026-11-15T05:50:00Z", views: 200 },
      { postedAt: "2026-11-01T04:20:00Z" },
      { postedAt: "2026-11-19T05:00:00Z", views: 9 },
      { views: 5 },
    );
    expect(postingHours).toEqual([
      { dayOfWeek: "Thursday", hour: 0, reels: 1 },
      { dayOfWeek: "Sunday", hour: 0, reels: 3, settledReels: 2, avgViews: 150, medianViews: 150 },
    ]);
  });
});

describe("a reel that was collected more than once", () => {
  test("counts once under any URL, with everything collected about it", () => {
    const twice = report(
      withReels([
        { url: "https://www.instagram.com/cook.daily/reel/AbC_-1/?igsh=x#y", views: 10, likes: 3, caption: null },
        { url: "https://instagram.com/p/AbC_-1", views: 12, comments: 1, caption: "Soup" },
        ...["m.instagram.com/reel/AbC_-1/", "instagr.am./p/AbC_-1", "l.instagram.com/?u=instagr.am%2Fp%2FAbC_-1"].map(
          (address) => ({ url: `https://${address}`, views: 11 }),
        ),
        { url: "http://me@www.instagram.com/reels/abc_-1/", views: 5 },
      ]),
    );
    expect(twice.reelsAnalyzed).toBe(2);
    expect(twice.findings.topReels).toEqual([
      expect.objectContaining({ views: 12, likes: 3, comments: 1, caption: "Soup" }),
      { url: "http://www.instagram.com/reels/abc_-1/", views: 5 },
    ]);
  });

  test("is told by its query where the path does not name it", () => {
    const urls = ["https://reels.test/watch?v=1", "https://reels.test/watch?v=2", "https://reels.test/watch?v=1#x"];
    expect(report(withReels(urls.map((url) => ({ url })))).reelsAnalyzed).toBe(2);
  });
});

test("nothing is drawn weekly below 14 days, but frequency is a number", () => {
  const days = (last: number) =>
    report(
      withReels(
        [1, 4, 9, last].map((day) => ({
          url: `https://www.instagram.com/reel/D${day}/`,
          postedAt: new Date(Date.UTC(2026, 8, day)).toISOString(),
        })),
      ),
    ).findings;
  expect(days(14)).not.toHaveProperty("weeks");
  expect(days(14).metrics.postingFrequencyPerWeek).toBeCloseTo(3 / (13 / 7), 9);
  expect(days(15).weeks).toHaveLength(3);
  expect(days(15).metrics.postingFrequencyPerWeek).toBe(1.5); // 3 steps in 2 weeks
});

describe("any collection", () => {
  const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null, freq: 4 });
  const count = maybe(fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 50_000_000 })));
  const reel: fc.Arbitrary<Collected> = fc.record(
    {
      url: fc.nat({ max: 60 }).map((code) => `https://www.instagram.com/reel/C${code}/`),
      caption: maybe(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("#a", "b #a #b", ""))),
      views: count,
      likes: count,
      comments: count,
      postedAt: maybe(
        fc
          .date({ min: new Date("2026-08-01"), max: new Date("2026-12-01"), noInvalidDate: true })
          .map((date) => date.toISOString()),
      ),
      durationSeconds: maybe(fc.double({ min: 0, max: 90, noNaN: true })),
    },
    { requiredKeys: ["url"] },
  );
  const collection = fc.record({
    handle: fc.constant("cook.daily"),
    timezone: fc.constantFrom("Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia", "UTC"),
    collectedAt: fc.constant("2026-11-20T10:00:00Z"),
    reels: fc.array(reel, { minLength: 1, maxLength: 80 }),
  });

  test("gives a report that holds together", () => {
    expect(() =>
      fc.assert(
        fc.property(collection, (one) => {
          const { findings, reelsAnalyzed } = report(one);
          const { metrics, topReels, comparisons = [] } = findings;
          const { bestPostingTimes, insights, advice } = described(one);
          expect(reelsAnalyzed).toBe(new Set(one.reels.map(({ url }) => url)).size);
          for (const [name, value] of Object.entries(metrics))
            if (value !== undefined)
              expect(value, name).toSatisfy((number: number) => Number.isFinite(number) && number >= 0);
          const views = topReels.flatMap((top) => top.views ?? []);
          expect(views).toEqual(views.toSorted((left, right) => right - left));
          expect(views.length).toBeLessThanOrEqual(10);
          const all = one.reels.flatMap((each) => each.views ?? []);
          if (all.length > 0) expect(views[0]).toBe(Math.max(...all));
          expect(metrics.avgViews === undefined).toBe(all.length === 0);
          if (metrics.avgViews !== undefined) {
            expect(metrics.avgViews).toBeGreaterThanOrEqual(Math.min(...all));
            expect(metrics.avgViews).toBeLessThanOrEqual(Math.max(...all));
          }
          for (const time of bestPostingTimes) expect(time.hour).toBeGreaterThanOrEqual(0);
          for (const time of bestPostingTimes) expect(time.hour).toBeLessThanOrEqual(23);
          for (const { low, times, high, chance, clear, reels, otherReels } of comparisons) {
            expect(0 < low && low <= times && times <= high && Number.isFinite(high)).toBe(true);
            expect(chance > 0 && chance <= 1 && reels >= 5 && otherReels >= 5).toBe(true);
            expect(clear && low <= 1 && high >= 1).toBe(false);
          }
          expect(insights.length).toBeGreaterThan(0);
          expect(insights.join(" ")).not.toMatch(/NaN|Infinity|undefined|null/);
          expect(advice.length).toBeLessThanOrEqual(3);
          expect(reelsAnalyzed >= 12 || (comparisons.length === 0 && bestPostingTimes.length === 0)).toBe(true);
        }),
        { numRuns: 100 },
      ),
    ).not.toThrow();
  });

  test("says the same in any order and with reels told again", () => {
    const shuffled = collection.chain((one) =>
      fc.record({
        one: fc.constant(one),
        other: fc.shuffledSubarray(one.reels, { minLength: one.reels.length }).map((reels) => ({
          ...one,
          reels: [...reels, ...reels.slice(0, 5)],
        })),
      }),
    );
    expect(() =>
      fc.assert(
        fc.property(shuffled, ({ one, other }) => {
          expect(report(other)).toEqual(report(one));
        }),
        { numRuns: 60 },
      ),
    ).not.toThrow();
  });
});

describe("a value out of range", () => {
  test.each<[keyof Collected, Collected[keyof Collected]]>([
    ["views", 1.5],
    ["views", 1e300],
    ["likes", -1],
    ["comments", -0.5],
    ["caption", "x".repeat(5_001)],
    ["durationSeconds", 172_800],
    ["durationSeconds", -3],
    ["postedAt", "1970-01-01T00:00:00Z"],
    ["postedAt", "2030-01-01T00:00:00Z"],
  ])("is unknown and counted, and the rest counts: %s %s", (name, value) => {
    const changed = alter((_, index) => (index === 4 ? { [name]: value } : {}));
    const without = alter((_, index) => (index === 4 ? { [name]: null } : {}));
    expect(changed.findings).toEqual({ ...without.findings, unknownValues: { [name]: 1 } });
    expect(changed.reelsAnalyzed).toBe(16);
  });
});

describe("a collection is refused", () => {
  const [reel] = sixteenReels.reels;
  test.each<[string, object]>([
    ["without reels", { reels: [] }],
    ["with more than 5000 reels", { reels: Array.from({ length: 5_001 }, () => reel) }],
    ["with a zone that is not there", { timezone: "Mars/Olympus" }],
    ["with an offset for a zone", { timezone: "+02:00" }],
    ["with a handle of other signs", { handle: "cook daily" }],
    ["with a time that is none", { collectedAt: "yesterday" }],
    ["from before the platform was there", { collectedAt: "1999-01-01T00:00:00Z" }],
    ["with a field that nobody knows", { color: "red" }],
    ["with a reel that has such a field", { reels: [{ ...reel, veiws: 1 }] }],
    ["with a script for a URL", { reels: [{ ...reel, url: "javascript:alert(1)" }] }],
    ["with a word for views", { reels: [{ ...reel, views: "many" }] }],
    ["with a date that is none", { reels: [{ ...reel, postedAt: "yesterday" }] }],
  ])("%s", (_name, changes) => expect(ReelCollection.safeParse({ ...sixteenReels, ...changes }).success).toBe(false));
});

test("a benchmark's sentence names the only other account, or says how many there are", () => {
  const views = { metric: "medianViews", value: 49_963 } as const;
  const other = (value: number) => ({ handle: "bo", value });
  expect([
    benchmarkSentence({ ...views, above: 1, of: 1, other: other(12_000) }),
    benchmarkSentence({ ...views, above: 0, of: 1, other: other(90_000) }),
    benchmarkSentence({ ...views, above: 0, same: 1, of: 1, other: other(49_963) }),
    benchmarkSentence({ ...views, above: 8, of: 10 }),
    benchmarkSentence({ ...views, above: 2, of: 2 }),
    benchmarkSentence({ ...views, above: 0, of: 2 }),
    benchmarkSentence({ ...views, above: 0, same: 1, of: 3 }),
    benchmarkSentence({ metric: "postingFrequencyPerWeek", value: 3.14, above: 0, same: 3, of: 3 }),
  ]).toEqual([
    "Median views 50K, above @bo (12K).",
    "Median views 50K, below @bo (90K).",
    "Median views 50K, the same as @bo (50K).",
    "Median views 50K, above 8 of the 10 other accounts in your reports.",
    "Median views 50K, above both other accounts in your reports.",
    "Median views 50K, below both other accounts in your reports.",
    "Median views 50K, above none of the 3 other accounts in your reports.",
    "3.1 reels a week, the same as all 3 other accounts in your reports.",
  ]);
});
