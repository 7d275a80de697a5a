import { ReelCollection } from "@reelscript/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fourReels, fourReelsFindings, sixteenReels, sixteenReelsFindings } from "./golden.ts";
import { alter, report, type Collected, withReels } from "./report-of-sixteen.ts";

describe("hand-checked reports", () => {
  test("of four reels: averages of what is known, the most viewed, and that they are too few", () => {
    const { findings, ...rest } = report(fourReels);
    expect(rest).toEqual({
      handle: "cook.daily",
      timezone: "Europe/Berlin",
      createdAt: new Date("2026-11-20T10:00:00Z"),
      reelsAnalyzed: 4,
    });
    expect(findings).toEqual(fourReelsFindings);
    expect(findings).not.toHaveProperty("bestPostingTimes");
  });

  test("of sixteen reels: posting times in the zone of the report, and all takeaways", () => {
    const { topReels, ...findings } = report(sixteenReels).findings;
    expect(findings).toEqual(sixteenReelsFindings);
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

  test("has every week of the zone's calendar, pauses too, also where the clocks change", () => {
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

  test("counts every reel in its hour, and averages those whose views are known and settled", () => {
    const { postingHours } = posted(
      { postedAt: "2026-11-08T05:10:00Z", views: 100 },
      { postedAt: "2026-11-15T05:50:00Z", views: 200 },
      { postedAt: "2026-11-01T04:20:00Z" },
      { postedAt: "2026-11-19T05:00:00Z", views: 9 },
      { views: 5 },
    );
    expect(postingHours).toEqual([
      { dayOfWeek: "Thursday", hour: 0, reels: 1 },
      { dayOfWeek: "Sunday", hour: 0, reels: 3, avgViews: 150, medianViews: 150 },
    ]);
  });
});

describe("posting times", () => {
  test("leave out reels of the last 72 hours", () => {
    // Exactly 72 hours after the last Thursday's reel: it is not older than that yet.
    const { findings } = report({ ...sixteenReels, collectedAt: "2026-09-19T22:30:00Z" });
    expect(findings.bestPostingTimes).toEqual([{ dayOfWeek: "Wednesday", hour: 4, avgViews: 2_000 }]);
    const later = report({ ...sixteenReels, collectedAt: "2026-09-19T22:30:00.001Z" });
    expect(later.findings.bestPostingTimes).toEqual(sixteenReelsFindings.bestPostingTimes);
  });

  test("follow the clocks of the zone into winter", () => {
    // 25 October 2026 is the day on which Berlin goes from UTC+2 to UTC+1; 16:30 UTC is 18:30 before and 17:30 after.
    const sunday = (week: number): string => new Date(Date.UTC(2026, 9, 4 + week * 7, 16, 30)).toISOString();
    const reels = Array.from({ length: 12 }, (_, week) => ({
      url: `https://www.instagram.com/reel/W${week}/`,
      views: 100,
      postedAt: sunday(week),
    }));
    const { findings } = report(withReels(reels, { timezone: "Europe/Berlin", collectedAt: "2027-01-20T00:00:00Z" }));
    expect(findings.bestPostingTimes).toEqual([
      { dayOfWeek: "Sunday", hour: 17, avgViews: 100 },
      { dayOfWeek: "Sunday", hour: 18, avgViews: 100 },
    ]);
  });

  test("and takeaways begin with the twelfth reel", () => {
    const eleven = report(withReels(sixteenReels.reels.slice(0, 11))).findings;
    expect(eleven.insights).toEqual(["Only 11 reels were analyzed: at least 12 are needed to say more than averages."]);
    expect(eleven.topReels).toHaveLength(10);
    expect(report(withReels(sixteenReels.reels.slice(0, 12))).findings.checked?.length).toBeGreaterThan(5);
    const [only] = sixteenReels.reels;
    expect(report(withReels([only!])).findings.insights[0]).toContain("Only 1 reel was analyzed");
  });
});

describe("a reel that was collected more than once", () => {
  test("counts once, whatever its URL looks like, with all that was seen of it", () => {
    const twice = report(
      withReels([
        { url: "https://www.instagram.com/cook.daily/reel/AbC_-1/?igsh=x#y", views: 10, likes: 3, caption: null },
        { url: "https://instagram.com/p/AbC_-1", views: 12, comments: 1, caption: "Soup" },
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

test("a date after the collection is not believed", () => {
  const { metrics, checked = [] } = alter((_, index) =>
    index === 0 ? { postedAt: "2030-01-01T00:00:00Z" } : {},
  ).findings;
  expect(metrics.postingFrequencyPerWeek).toBe(7); // 14 steps in the 14 days that are left
  expect(checked.at(-1)).toBe("Of 16 reels some values are hidden: date of 1. Averages skip them.");
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
          const { metrics, topReels, bestPostingTimes = [], insights, checked = [] } = findings;
          expect(reelsAnalyzed).toBe(new Set(one.reels.map(({ url }) => url)).size);
          for (const [name, value] of Object.entries(metrics))
            if (value !== undefined)
              expect(value, name).toSatisfy((number: number) => Number.isFinite(number) && number >= 0);
          const views = topReels.map((top) => top.views!);
          expect(views).toEqual(views.toSorted((left, right) => right - left));
          expect(views.length).toBeLessThanOrEqual(10);
          const all = one.reels.flatMap((each) => each.views ?? []);
          expect(views[0]).toBe(all.length > 0 ? Math.max(...all) : undefined);
          expect(metrics.avgViews === undefined).toBe(all.length === 0);
          if (metrics.avgViews !== undefined) {
            expect(metrics.avgViews).toBeGreaterThanOrEqual(Math.min(...all));
            expect(metrics.avgViews).toBeLessThanOrEqual(Math.max(...all));
          }
          for (const time of bestPostingTimes) expect(time.hour).toBeGreaterThanOrEqual(0);
          for (const time of bestPostingTimes) expect(time.hour).toBeLessThanOrEqual(23);
          const averages = bestPostingTimes.map(({ avgViews }) => avgViews);
          expect(averages).toEqual(averages.toSorted((left, right) => right - left));
          expect(insights.length).toBeGreaterThan(0);
          expect(insights.length).toBeLessThanOrEqual(5);
          expect([...insights, ...checked].join(" ")).not.toMatch(/NaN|Infinity|undefined|null/);
          expect(reelsAnalyzed >= 12 || (insights.length === 1 && bestPostingTimes.length === 0)).toBe(true);
        }),
        { numRuns: 300 },
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
        { numRuns: 200 },
      ),
    ).not.toThrow();
  });
});

describe("a collection is refused", () => {
  const [reel] = sixteenReels.reels;
  test.each<[string, object]>([
    ["without reels", { reels: [] }],
    ["with more than 1000 reels", { reels: Array.from({ length: 1_001 }, () => reel) }],
    ["with a zone that is not there", { timezone: "Mars/Olympus" }],
    ["with an offset for a zone", { timezone: "+02:00" }],
    ["with a handle of other signs", { handle: "cook daily" }],
    ["with a time that is none", { collectedAt: "yesterday" }],
    ["from before the platform was there", { collectedAt: "1999-01-01T00:00:00Z" }],
    ["with a field that nobody knows", { color: "red" }],
    ["with a reel that has such a field", { reels: [{ ...reel, veiws: 1 }] }],
    ["with a script for a URL", { reels: [{ ...reel, url: "javascript:alert(1)" }] }],
    ["with half a view", { reels: [{ ...reel, views: 1.5 }] }],
    ["with fewer than no likes", { reels: [{ ...reel, likes: -1 }] }],
    ["with more views than can be counted", { reels: [{ ...reel, views: 1e300 }] }],
    ["with an endless caption", { reels: [{ ...reel, caption: "x".repeat(5_001) }] }],
    ["with a reel of two days", { reels: [{ ...reel, durationSeconds: 172_800 }] }],
  ])("%s", (_name, changes) => expect(ReelCollection.safeParse({ ...sixteenReels, ...changes }).success).toBe(false));
});
