import { ReelCollection } from "@reelscript/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reportOf } from "../../src/features/reports/ingest.ts";
import { fourReels, fourReelsFindings, sixteenReels, sixteenReelsFindings } from "./golden.ts";

const report = (collection: ReelCollection) =>
  reportOf(ReelCollection.parse(collection), new Date(collection.collectedAt));

type Collected = ReelCollection["reels"][number];
const withReels = (reels: Collected[], changes: Partial<ReelCollection> = {}): ReelCollection => ({
  ...sixteenReels,
  ...changes,
  reels,
});
const alter = (change: (reel: Collected, index: number) => Partial<Collected>) =>
  report(withReels(sixteenReels.reels.map((reel, index) => ({ ...reel, ...change(reel, index) }))));

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
      { start: "2026-10-12", reels: 1, avgViews: 10 },
      { start: "2026-10-19", reels: 0 },
      { start: "2026-10-26", reels: 0 },
      { start: "2026-11-02", reels: 1, avgViews: 30 },
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
      { dayOfWeek: "Sunday", hour: 0, reels: 3, avgViews: 150 },
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
    expect(report(withReels(sixteenReels.reels.slice(0, 12))).findings.insights.length).toBeGreaterThan(8);
    const [only] = sixteenReels.reels;
    expect(report(withReels([only!])).findings.insights[0]).toContain("Only 1 reel was analyzed");
  });
});

describe("takeaways say", () => {
  const said = (change: Parameters<typeof alter>[0]) => alter(change).findings.insights.join("\n");

  test.each<[string, Parameters<typeof alter>[0], string]>([
    [
      "that nothing stands out",
      () => ({ views: 500 }),
      "No reel stands out: of 16 reels none has 3 times the median of 500",
    ],
    [
      "which length is seen more",
      (_, index) => ({ views: index < 8 ? 900 : 300 }),
      "Reels of up to 17 s have a median of 900 views (8 reels), longer ones have a median of 300 views (8 reels), 3 times as many.",
    ],
    [
      "what is seen more when the other side has no views",
      (_, index) => ({ views: index < 8 ? 0 : 30 }),
      "Longer ones have a median of 30 views (8 reels), reels of up to 17 s have a median of 0 views (8 reels).",
    ],
    [
      "which captions are seen more",
      (_, index) => ({ views: index < 6 ? 200 : 100 }),
      "Those with longer ones have a median of 200 views (6 reels), reels with captions of up to 6 characters have a median of 100 views (10 reels), 2 times as many.",
    ],
    [
      "which hashtag goes with more views",
      (_, index) => ({ views: index < 6 ? 200 : 100 }),
      "Reels with #quick have a median of 200 views (6 reels), those without it have a median of 100 views (10 reels), 2 times as many.",
    ],
    [
      "that hashtags are used everywhere",
      (_, index) => ({ caption: `#a ${index}` }),
      "16 of 16 captions have hashtags: too one-sided to compare.",
    ],
    ["that there are no hashtags", () => ({ caption: "plain" }), "No caption of 16 has a hashtag."],
    [
      "that views fall",
      (_, index) => ({ views: index < 8 ? 200 : 100 }),
      "Views are falling: a median of 100 over the newest 8 reels older than 72 hours, 200 over the oldest 8.",
    ],
    [
      "that engagement falls",
      (_, index) => ({ views: 100, likes: index < 8 ? 10 : 5 }),
      "Engagement is falling: 5% on average over the newest 8 reels, 10% over the oldest 8.",
    ],
    [
      "that the pace rises, and the longest pause",
      (_, index) => (index === 0 ? { postedAt: "2026-08-22T22:30:00Z" } : {}),
      "The pace is rising: 13 reels in the later half of the period, 3 in the earlier (12.5 days each).\nThe longest pause between two reels was 11 days, from 23 August 2026 to 3 September 2026; the usual one is 24 hours (median of 15).",
    ],
    [
      "what is not known",
      (_, index) => (index < 2 ? { views: null, comments: null } : {}),
      "Not known of 16 reels: views of 2, comments of 2; averages leave these out.",
    ],
    [
      "that no hour has enough reels",
      (_, index) => ({ postedAt: new Date(Date.UTC(2026, 8, 1, index * 5)).toISOString() }),
      "No hour of the week has 3 reels older than 72 hours, so nothing can be said of posting times (16 reels looked at).",
    ],
  ])("%s", (_name, change, sentence) => expect(said(change)).toContain(sentence));

  test("nothing of what is not known at all", () => {
    const nothing = report(
      withReels(Array.from({ length: 12 }, (_, index) => ({ url: `https://www.instagram.com/reel/N${index}/` }))),
    ).findings;
    expect(nothing).toEqual({
      metrics: {},
      topReels: [],
      insights: [
        "Not known of 12 reels: views of 12, likes of 12, comments of 12, date of 12; averages leave these out.",
      ],
    });
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
  const { metrics, insights } = alter((_, index) => (index === 0 ? { postedAt: "2030-01-01T00:00:00Z" } : {})).findings;
  expect(metrics.postingFrequencyPerWeek).toBe(7); // 14 steps in the 14 days that are left
  expect(insights.at(-1)).toBe("Not known of 16 reels: date of 1; averages leave these out.");
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
          const { metrics, topReels, bestPostingTimes = [], insights } = findings;
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
          expect(insights.join(" ")).not.toMatch(/NaN|Infinity|undefined|null/);
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
    ["with a field that nobody knows", { colour: "red" }],
    ["with a reel that has such a field", { reels: [{ ...reel, veiws: 1 }] }],
    ["with a script for a URL", { reels: [{ ...reel, url: "javascript:alert(1)" }] }],
    ["with half a view", { reels: [{ ...reel, views: 1.5 }] }],
    ["with fewer than no likes", { reels: [{ ...reel, likes: -1 }] }],
    ["with more views than can be counted", { reels: [{ ...reel, views: 1e300 }] }],
    ["with an endless caption", { reels: [{ ...reel, caption: "x".repeat(5_001) }] }],
    ["with a reel of two days", { reels: [{ ...reel, durationSeconds: 172_800 }] }],
  ])("%s", (_name, changes) => expect(ReelCollection.safeParse({ ...sixteenReels, ...changes }).success).toBe(false));
});
