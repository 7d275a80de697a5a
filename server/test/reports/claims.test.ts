import {
  alsoWords,
  displayedInterval,
  gainWords,
  type Comparison,
  type CompetitorReport,
  type ReelCollection,
} from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { adviceOf } from "../../src/describe/report/advice.ts";
import { nextReelSentence } from "../../src/describe/report/report-sentences.ts";
import { onceEach } from "../../src/statistics/once-each.ts";
import { openingsOf } from "../../src/statistics/traits.ts";
import { seriesOf, topicsOf, tokensOf } from "../../src/statistics/topics.ts";
import { accountOf, compare, type AccountPlan } from "./made-up-accounts.ts";
import { described, type Collected, withReels } from "./report-of-sixteen.ts";

/** A report of reels that are made up, with what is changed in each. */
function reported(
  plan: AccountPlan,
  change: (reel: Collected, index: number) => Partial<Collected> = () => ({}),
  changes: Partial<ReelCollection> = {},
): CompetitorReport {
  const reels = accountOf(21, plan).map((reel, index): Collected => {
    const { platform: _, postedAt, ...seen } = reel;
    const collected: Collected = { ...seen, postedAt: postedAt!.toISOString() };
    return { ...collected, ...change(collected, index) };
  });
  return described(withReels(reels, { timezone: "UTC", collectedAt: "2026-11-20T10:00:00Z", ...changes }));
}
const claimsOf = ({ comparisons = [] }: Pick<CompetitorReport, "comparisons">): Comparison[] =>
  comparisons.filter(({ clear }) => clear);

const claim = (changes: Partial<Comparison>): Comparison => ({
  kind: "topic",
  topic: "#rye",
  outcome: "views",
  clear: true,
  sureness: "sure",
  times: 1.6,
  low: 1.25,
  high: 2.4,
  chance: 0.001,
  again: 0.95,
  reels: 30,
  typical: 16_000,
  otherReels: 30,
  otherTypical: 10_000,
  proof: [{ url: "https://www.instagram.com/reel/A/" }],
  ...changes,
});

describe("a claim", () => {
  const times = (factor: (index: number, random: () => number) => number): AccountPlan => ({
    reels: 120,
    sigma: () => 0.6,
    change: ({ views }, { index, random }) => {
      const isRye = index % 3 === 0;
      return { caption: isRye ? "loaf #rye" : "loaf", views: Math.round(views! * (isRye ? factor(index, random) : 1)) };
    },
  });
  const isOfRye = ({ topic, also = [] }: Comparison): boolean =>
    topic === "#rye" || also.some((one) => one.topic === "#rye");
  const claimed = (plan: AccountPlan, seeds = 10): number =>
    Array.from({ length: seeds }, (_, seed) => compare(accountOf(seed, plan))).filter((comparisons) =>
      claimsOf({ comparisons }).some(isOfRye),
    ).length;

  test("is made of what holds in earlier and later reels", () =>
    expect(claimed(times(() => 3))).toBeGreaterThanOrEqual(9));

  test.each<[string, (index: number, random: () => number) => number]>([
    ["only the first third shows", (index) => (index < 40 ? 9 : 1)],
    ["turns around", (index) => (index < 60 ? 5 : 0.3)],
    ["a single burst shows", (index) => (index >= 48 && index < 60 ? 40 : 1)],
  ])("isn't made of what %s", (_name, factor) => expect(claimed(times(factor))).toBeLessThanOrEqual(1));

  test("agrees with the medians shown with it, and has an interval that is apart from 1 and says something", () => {
    for (const spread of [0.4, 0.9, 2.5])
      for (let seed = 0; seed < 40; seed += 1) {
        const plan: AccountPlan = { ...times((_, random) => (random() < 0.2 ? 300 : 2)), sigma: () => spread };
        for (const { times: ratio, low, high, typical, otherTypical } of claimsOf({
          comparisons: compare(accountOf(seed, plan)),
        })) {
          expect(Math.abs(Math.log(typical / otherTypical / ratio))).toBeLessThanOrEqual(Math.log(1.5) + 1e-9);
          expect(high / low).toBeLessThanOrEqual(10);
          expect(displayedInterval({ low, high }).isApart).toBe(true);
        }
      }
  });

  test("isn't made of what few reels lack, such as 5 of 153 without hashtags", () => {
    const report = reported({ reels: 153, sigma: () => 0.4 }, ({ views }, index) =>
      index % 30 === 7 ? { caption: "bare", views: Math.round(views! / 6) } : { caption: "loaf #bread" },
    );
    expect(claimsOf(report)).toEqual([]);
    expect(report.advice).toEqual([]);
  });

  test("isn't made of a split that time explains", () => {
    const report = reported({ reels: 60, sigma: () => 0.4 }, ({ views }, index) => ({
      durationSeconds: index < 30 ? 10 : 50,
      views: Math.round(views! * (index < 30 ? 1 : 3)),
    }));
    expect(claimsOf(report).map(({ kind }) => kind)).not.toContain("length");
    expect(claimsOf(report).map(({ kind }) => kind)).toContain("views");
  });
});

describe("findings on the same reels", () => {
  const findingOf = (comparison: Comparison, members: string) => ({
    comparison,
    isIn: members.split("").map((member) => (member === "?" ? -1 : (Number(member) as 0 | 1))),
  });

  test("are one, with the most actionable name and the others as also", () => {
    const report = reported({ reels: 220, sigma: () => 0.6 }, ({ views }, index) => {
      const isDinner = index % 4 === 0;
      return {
        caption: isDinner ? "plates #dinner" : "market stories",
        durationSeconds: isDinner ? 60 + (index % 7) : 20 + (index % 9),
        views: Math.round(views! * (isDinner ? 3 : 1)),
      };
    });
    const [first, ...others] = claimsOf(report).filter(({ kind, outcome }) => outcome === "views" && kind !== "views");
    expect(others).toEqual([]);
    const names = [first!, ...first!.also!].map(({ kind, topic }) => topic ?? kind);
    expect(names).toEqual(expect.arrayContaining(["#dinner", "hashtags"]));
    expect(report.advice.filter(({ text }) => !text.includes("engagement"))).toHaveLength(1);
    expect(report.advice[0]!.also).toMatch(/^The same reels are also those .*may be the cause as well\.$/);
  });

  test("include the opposite side and unknown reels, but neither other reels nor another count", () => {
    const length = claim({ kind: "length", topic: undefined, above: 30 });
    const one = findingOf(claim({}), "1111100000");
    expect(onceEach([one, findingOf(length, "0000011111")])).toEqual([
      { ...length, also: [{ kind: "topic", topic: "#rye", lacks: true }] },
    ]);
    expect(onceEach([one, findingOf(length, "11111000?0")])).toHaveLength(1);
    expect(onceEach([one, findingOf(length, "1110011000")])).toHaveLength(2);
    expect(onceEach([one, findingOf({ ...length, outcome: "engagement" }, "1111100000")])).toHaveLength(2);
  });

  test("are named by what the reels have and lack", () =>
    expect(
      alsoWords([
        { kind: "topic", topic: "#rye", lacks: true },
        { kind: "length", above: 30, lacks: true },
        { kind: "postingHours", hours: { from: 18, to: 0 } },
      ]),
    ).toBe(
      "The same reels are also those without #rye, those of up to 30 s, and those posted 18:00–24:00, which may be the cause as well.",
    ));
});

describe("the plan", () => {
  const textsOf = (...comparisons: Comparison[]): string[] =>
    adviceOf(comparisons, "lena.bakes").map(({ text }) => text);

  test("has at most three facts of different kinds, views first", () =>
    expect(
      textsOf(
        claim({ outcome: "engagement", kind: "length", topic: undefined, upTo: 20 }),
        claim({}),
        claim({ topic: "#barley" }),
        claim({ kind: "series", topic: "day bread" }),
        claim({ kind: "opening", topic: undefined, opening: "question" }),
        claim({ kind: "postingHours", topic: undefined, hours: { from: 18, to: 0 } }),
      ),
    ).toEqual(["Do more with #rye.", "Begin captions with a question.", "Post at 18:00–24:00."]));

  test.each<[string, Partial<Comparison>]>([
    ["what nine of ten posts do already", { reels: 148, otherReels: 5 }],
    ["to avoid what one of ten does", { reels: 5, otherReels: 60, times: 0.5, low: 0.3, high: 0.8 }],
    ["to avoid a word", { topic: "salt", times: 0.5, low: 0.3, high: 0.8 }],
    ["the account's own name", { topic: "#lenabakes" }],
    ["its name with more", { topic: "#lena_bakes_daily" }],
    ["a generic tag", { topic: "#fypシ" }],
    ["a generic tag with more", { topic: "#foryoupage" }],
  ])("doesn't advise %s", (_name, changes) => expect(textsOf(claim(changes))).toEqual([]));

  test("has the gain in words, rounded down, two recent reels to copy and one to avoid", () => {
    const report = reported({ reels: 120, sigma: () => 0.5 }, ({ views }, index) =>
      index % 3 === 0 ? { caption: "loaf #rye", views: views! * 3 } : { caption: "loaf" },
    );
    const [line] = report.advice;
    expect(line!.gain).toMatch(/^About [23](\.\d)? times the views; at least [12](\.\d)?\.$/);
    expect(line!.copy).toHaveLength(2);
    const captions = [...line!.copy!, line!.avoid!].map(({ caption }) => caption);
    expect(captions).toEqual(["loaf #rye", "loaf #rye", "loaf"]);
    expect(report.insights[0]).toBe(`${line!.text} ${line!.gain}`);
  });

  test.each<[Partial<Comparison>, string]>([
    [{ times: 1.44, low: 1.29, high: 2 }, "About 1.4 times the views; at least 1.2."],
    [{ times: 0.5, low: 0.3, high: 0.8 }, "About 2 times the views; at least 1.2."],
    [
      { times: 1.5, low: 1.04, high: 2, sureness: "fairly sure" },
      "About 1.5 times the views; perhaps only a little more than now.",
    ],
    [{ times: 1.5, low: 1.04, high: 2 }, "About 1.5 times the views; at least a little more than now."],
    [{ times: 0.6, low: 0.4, high: 0.97 }, "About 1.7 times the views; at least a little more than now."],
  ])("words a gain so that it isn't better than it is: %j", (changes, words) =>
    expect(gainWords(claim(changes))).toBe(words),
  );
});

describe("topics", () => {
  const topicsIn = (handle: string, ...tags: string[]): string[] =>
    topicsOf(
      Array.from({ length: 40 }, (_, index) => new Set(tokensOf(index % 2 === 0 ? `loaf ${tags.join(" ")}` : "other"))),
      handle,
    );

  test.each([
    "#Lena.Bakes",
    "@lenabakes",
    "#lenabakesbread",
    "#fyp",
    "#fypシ",
    "#ForYou",
    "#reels",
    "#viralvideo",
    "10k",
  ])("aren't the account's own name, generic tags or numbers: %s", (tag) =>
    expect(topicsIn("lena.bakes", tag)).not.toContain(tag.toLowerCase()),
  );
  test("are tags that begin like a generic one", () =>
    expect(topicsIn("lena.bakes", "#shortcrust")).toContain("#shortcrust"));
});

test.each<[string, readonly string[]]>([
  ["Do you knead? I don't.", ["question"]],
  ["3 mistakes that I made", ["number", "firstPerson"]],
  ["How to score a loaf", ["howTo"]],
  ["¿Cómo hacer pan? Fácil", ["question", "howTo"]],
  ["मेरे पाँच नियम", ["firstPerson"]],
  ["#howto #1 @me", []],
  ["Bread. Is it good?", []],
])("%s opens as %j", (text, openings) => expect([...openingsOf(text)].toSorted()).toEqual([...openings].toSorted()));

describe("what would contradict itself", () => {
  test("isn't shown: a range without width, or that rounding narrows", () => {
    const equal = reported({ reels: 30 }, () => ({ views: 1_000, likes: 10 }));
    expect(equal.nextReel === undefined || equal.nextReel.low < equal.nextReel.high).toBe(true);
    expect(reported({ reels: 30 }, () => ({ views: 0, likes: 0, comments: 0 })).nextReel).toBeUndefined();
    const close = reported({ reels: 60 }, (_, index) => ({ views: 1_010 + (index % 5), likes: 10 }));
    expect(nextReelSentence(close.nextReel!)).toContain("8 of 10 get between 1K and 1.1K.");
  });

  test.each([
    [
      { low: 1.004, high: 2.21 },
      { low: 1, high: 2.3, isApart: false },
    ],
    [
      { low: 1.019, high: 1.991 },
      { low: 1.01, high: 2, isApart: true },
    ],
    [
      { low: 0.449, high: 0.991 },
      { low: 0.44, high: 1, isApart: false },
    ],
  ])("is rounded outward: %j", (interval, rounded) => expect(displayedInterval(interval)).toEqual(rounded));

  test("outliers are counted before the list is cut", () => {
    const report = reported({ reels: 200, sigma: () => 0.2 }, ({ views }, index) => ({
      views: index % 8 === 0 ? views! * 9 : views,
    }));
    expect(report.outliers).toHaveLength(10);
    expect(report.outlierCount).toBe(25);
    expect(report.insights.join(" ")).toContain("25 reels got more than 3 times what their neighbors got");
  });

  test.each(["likes", "comments"] as const)("%s above the views are unknown, with a note", (name) => {
    const report = reported({ reels: 40 }, ({ views }, index) => (index < 3 ? { [name]: views! * 1_752 } : {}));
    expect(report.aboveViews).toEqual({ [name]: 3 });
    expect(report.metrics.avgEngagementRate).toBeLessThan(100);
    expect(report.notes!.join(" ")).toContain(`3 reels have more ${name} than views, which is impossible`);
  });

  test.each([
    ["one date", () => "2026-10-01T00:00:00Z"],
    ["one day", (index: number) => `2026-10-01T${String(index % 24).padStart(2, "0")}:00:00Z`],
  ])("many reels of %s have no frequency", (_name, dateOf) => {
    const report = reported({ reels: 60 }, (_, index) => ({ postedAt: dateOf(index) }));
    expect(report.metrics.postingFrequencyPerWeek).toBe(0);
  });
});

test.each(["do you", "this is", "wie man", "c'est la", "don’t you", "how to"])(
  "%s… begins sentences, not a series",
  (title) => {
    const titles = [
      ...Array<string>(10).fill(title),
      ...Array<string>(10).fill("day bread"),
      ...Array<string>(10).fill(""),
    ];
    expect(seriesOf(titles, "made.up")).toEqual(["day bread"]);
  },
);

describe("what reels that stand out share", () => {
  const captions = (captionOf: (index: number) => string, every: number): CompetitorReport =>
    reported({ reels: 120, sigma: () => 0.2 }, ({ views }, index) => ({
      caption: captionOf(index),
      views: index % every === 5 ? views! * 9 : views,
    }));

  test.each<[string, number, (index: number) => string]>([
    [
      "two of three with a word that one in six has",
      40,
      (index) => (index % 6 === 5 || index === 45 ? "rustic loaf" : "loaf"),
    ],
    ["half of them with a word", 10, (index) => (index % 20 === 5 ? "rustic loaf" : "loaf")],
    ["a word that most reels have", 20, (index) => (index % 3 === 0 ? "loaf" : "rustic loaf")],
  ])("isn't %s", (_name, every, captionOf) => {
    const { outliersText, outlierTopics } = captions(captionOf, every);
    expect(outliersText).toMatch(/reels got more than 3 times what their neighbors got\.$/);
    expect(outlierTopics).toEqual([]);
  });

  test.each(["rustic #rustic", "#Rustic loaf rustic", "#rustic_ rustic"])("is named once, as a tag: %s", (caption) => {
    const { outlierTopics } = captions((index) => (index % 10 === 5 ? caption : "plain"), 10);
    expect(outlierTopics!.filter((topic) => topic.includes("rustic"))).toHaveLength(1);
    expect(outlierTopics![0]).toMatch(/^#rustic/);
  });

  test("is a word that most of them have and few others", () => {
    const { outliersText } = captions((index) => (index % 10 === 5 || index % 30 === 1 ? "rustic loaf" : "loaf"), 10);
    expect(outliersText).toBe("12 reels got more than 3 times what their neighbors got; most of them have “rustic”.");
  });
});

test("a report has formats, pillars and figures by followers", () => {
  const report = reported(
    { reels: 80 },
    (_, index) => ({ caption: index % 4 === 0 ? "loaf #rye" : "plain", durationSeconds: index % 2 === 0 ? 10 : 40 }),
    { followers: 10_000 },
  );
  expect(report.formats!.map(({ name, reels, share }) => [name, reels, share])).toEqual([
    ["up to 15 s", 40, 0.5],
    ["30 to 60 s", 40, 0.5],
  ]);
  expect(report.pillars).toContainEqual(expect.objectContaining({ name: "#rye", reels: 20, share: 0.25 }));
  expect(report.followers).toMatchObject({ followers: 10_000, viewsPerFollower: report.metrics.medianViews! / 10_000 });
  expect(report.insights.join(" ")).toContain("By followers (10K)");
});

test("every comparison has a conclusion of one sentence", () => {
  const { comparisons = [] } = reported({ reels: 120 });
  expect(comparisons.length).toBeGreaterThan(3);
  for (const { conclusion } of comparisons) expect(conclusion).toMatch(/^[A-Z][^]*\.$/);
});
