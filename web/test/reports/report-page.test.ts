import type { Comparison, CompetitorReport, TopReel } from "@reelscript/contract";
import { comparisonWords } from "@reelscript/contract/values";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { NextPosts } from "../../src/pages/reports/next-posts.tsx";
import { captionParts } from "../../src/format.ts";
import { ReportFindings } from "../../src/pages/reports/report-findings.tsx";
import { Outliers } from "../../src/pages/reports/top-reels.tsx";
import { changedTakeaways, clearlyDiffer, clearlyHighest } from "../../src/pages/reports/compare/key-figures.ts";
import { parseCollection } from "../../src/pages/reports/import/use-import-report.tsx";
import { sortReels, topReelsCsv } from "../../src/pages/reports/reel-table.tsx";
import { viewsSentence } from "../../src/pages/reports/report-charts.tsx";

const url = (code: string): string => `https://www.instagram.com/reel/${code}/`;

test("top reels' CSV has exact figures, blanks if unknown, no formula", () =>
  expect(
    topReelsCsv([
      { url: url("A"), caption: "Salt, twice", views: 1_284_903, engagementRate: 6.4, durationSeconds: 41.5 },
      { url: url("B"), caption: 'Say "hi"\n2 - 1 = 1', postedAt: "2026-11-01T10:00:00Z" },
      ...["=1+1", "+1", "-1", "@SUM(A1)", "  =1+1", "\t=1", "\r=1", "\n=1", "＝1+1"].map((caption) => ({
        url: url("C"),
        caption,
      })),
    ]).split(`\r\n${url("C")},`),
  ).toEqual([
    "\uFEFFurl,caption,views,likes,comments,engagement_rate_percent,posted_at,duration_seconds\r\n" +
      `${url("A")},"Salt, twice",1284903,,,6.4,,41.5\r\n` +
      `${url("B")},"Say ""hi""\n2 - 1 = 1",,,,,2026-11-01T10:00:00Z,`,
    ...Array.from({ length: 9 }, () => expect.stringMatching(/^"?'/) as string),
  ]));

const comparison = (changes: Partial<Comparison>): Comparison => ({
  kind: "postingHours",
  hours: { from: 18, to: 0 },
  clear: true,
  times: 2.46,
  low: 1.62,
  high: 3.9,
  chance: 0.001,
  reels: 20,
  typical: 82_000,
  otherReels: 60,
  otherTypical: 30_000,
  proof: [],
  ...changes,
});

describe("differences", () => {
  test.each<[Partial<Comparison>, string]>([
    [
      { kind: "postingDays", days: ["Saturday", "Sunday"], times: 0.5 },
      "Reels posted on weekends get about half the views.",
    ],
    [{ kind: "length", above: 41 }, "Reels over 41 s get 2.5 times the views."],
    [{ kind: "length", upTo: 41 }, "Reels of up to 41 s get 2.5 times the views."],
    [{ kind: "captionLength", upTo: 90 }, "Reels with captions of up to 90 characters get 2.5 times the views."],
    [{ kind: "hashtags" }, "Reels with hashtags get 2.5 times the views."],
    [{ kind: "views" }, "The newest 20 typically got 2.5 times the views of the oldest 60."],
    [
      { kind: "engagement", times: 0.8 },
      "The newest 20 typically got about four fifths of the engagement of the oldest 60.",
    ],
  ])("name their group: %j", (changes, claim) => expect(comparisonWords(comparison(changes)).claim).toBe(claim));

  test("are compared with the previous report's by subject and direction", () => {
    const earlier = [comparison({ hours: { from: 15, to: 21 } }), comparison({ kind: "views" })];
    const later = [
      comparison({}),
      comparison({ kind: "views", times: 0.5 }),
      comparison({ kind: "length", clear: false }),
    ];
    expect(changedTakeaways(earlier, later)).toEqual({
      new: ["The newest 20 typically got about half the views of the oldest 60."],
      gone: ["The newest 20 typically got 2.5 times the views of the oldest 60."],
    });
    expect(changedTakeaways(undefined, later)).toBeUndefined();
  });
});

const bare: CompetitorReport = {
  id: "rep_1",
  handle: "ana",
  createdAt: "2026-11-20T10:00:00Z",
  timezone: "UTC",
  metrics: { postingFrequencyPerWeek: 0 },
  topReels: [],
  bestPostingTimes: [],
  advice: [],
  insights: [],
};
const advice: CompetitorReport["advice"][number] = {
  action: "postAt",
  text: "Post at 18:00–24:00.",
  sureness: "fairly sure",
  claim: "Reels posted 18:00–24:00 get 2.5 times the views.",
  figures: "Typically 82,000 views for these 20, 30,000 for the other 60.",
  example: { url: url("EX"), caption: "Salt, twice.", views: 82_000 },
};
const reel = (code: string, multiple?: number): TopReel => ({
  url: url(code),
  caption: `Loaf ${code}`,
  ...(multiple !== undefined && { multiple }),
});
const drawn = (part: (props: { report: CompetitorReport }) => ReactNode, changes: Partial<CompetitorReport>): string =>
  renderToStaticMarkup(createElement(part, { report: { ...bare, ...changes } }));

describe("what to post next", () => {
  test("is advice with an example and its sureness, figures folded", () => {
    const card = drawn(NextPosts, { advice: [advice], comparisons: [comparison({ sureness: "fairly sure" })] });
    expect(card).toContain("Post at 18:00–24:00.");
    expect(card).toContain("Fairly sure");
    expect(card).toContain(url("EX"));
    expect(card).toMatch(/<details><summary[^>]*>Figures<\/summary>[^]*82,000 views for these 20[^]*<\/details>/);
    // It is said once.
    expect(card.split("Reels posted 18:00–24:00 get")).toHaveLength(2);
  });

  test("names what it gains, two reels to copy and one to avoid", () => {
    const also = "The same reels are also those with #rye, which may be the cause as well.";
    const gain = "About 1.4 times the views; at least 1.2.";
    const card = drawn(NextPosts, {
      advice: [{ ...advice, gain, also, copy: [reel("ONE"), reel("TWO")], avoid: reel("NOT") }],
    });
    expect(card).toMatch(
      /About 1\.4 times the views; at least 1\.2\.[^]*Copy[^]*ONE[^]*Copy[^]*TWO[^]*Rather not[^]*NOT/,
    );
    expect(card).toContain(also);
    expect(card).not.toContain(url("EX"));
  });

  test("names clear differences from which no advice follows", () => {
    const card = drawn(NextPosts, {
      advice: [advice],
      comparisons: [
        comparison({}),
        comparison({ kind: "views", times: 1.9 }),
        comparison({ kind: "length", clear: false }),
      ],
    });
    expect(card).toContain("The newest 20 typically got 1.9 times the views of the oldest 60.");
    expect(card).not.toContain("over 41 s");
  });

  test("is reels to start from if nothing is clear, labeled as such", () => {
    const card = drawn(NextPosts, { startFrom: [reel("A", 8), reel("B", 2.9)] });
    expect(card).toContain("Start from the reels that did best among their neighbors");
    expect(card).toContain("2.9x");
    const plain = drawn(NextPosts, { startFrom: [reel("A")] });
    expect(plain).toContain("no reel to copy stands out");
    expect(plain).toContain("Loaf A");
    expect(plain).not.toMatch(/\dx/);
    expect(drawn(NextPosts, {})).toBe("");
  });
});

describe("what a report says beside its advice", () => {
  const text = "Nothing could be compared: the views and likes of these reels are hidden.";
  const same = "No clear difference by length.";

  test("is why nothing was compared, and not that nothing differs", () => {
    const page = drawn(ReportFindings, { notCompared: { reason: "countsHidden", reels: 0, needed: 12, text } });
    expect(page).toContain(text);
    expect(page).not.toContain("How this was checked");
  });

  test("has what makes no difference in a closed part, and notes before it", () => {
    const growing = "3 reels are younger than 7 days and still grow.";
    const page = drawn(ReportFindings, {
      comparisons: [comparison({ kind: "length", clear: false })],
      details: [same],
      notes: [growing],
      insights: [same, growing],
    });
    expect(page).toMatch(new RegExp(`${growing}[^]*<details><summary>How this was checked</summary>[^]*${same}`));
    for (const sentence of [same, growing]) expect(page.split(sentence)).toHaveLength(2);
  });
});

test("one outlier can’t be copied, several share topics", () => {
  const one = drawn(Outliers, { outliers: [reel("A", 9.25)], outlierTopics: ["#rye"] });
  expect(one).toContain("One reel can’t be copied");
  expect(one).toContain("9.3x");
  expect(one).not.toContain("#rye");
  const several = drawn(Outliers, { outliers: [reel("A", 9), reel("B", 4)], outlierTopics: ["#rye"] });
  expect(several).not.toContain("can’t be copied");
  expect(several).toContain("#rye");
  expect(drawn(Outliers, {})).toBe("");
});

describe("of figures side by side, the highest", () => {
  const figure = (value: number, low: number, high: number) => ({ value, margin: { low, high } });

  test("is marked where it is clearly above all others", () => {
    expect(clearlyHighest([figure(100, 80, 125), figure(300, 240, 375), undefined])).toBe(1);
    expect(clearlyHighest([figure(100, 80, 125), figure(300, 240, 375), figure(260, 200, 330)])).toBeUndefined();
  });

  test("is not marked where figures are equal, alone or of unknown exactness", () => {
    expect(clearlyHighest([figure(100, 100, 100), figure(100, 100, 100)])).toBeUndefined();
    expect(clearlyHighest([figure(100, 80, 125), undefined])).toBeUndefined();
    expect(clearlyHighest([figure(100, 80, 125), { value: 900, margin: undefined }])).toBeUndefined();
    expect(clearlyDiffer({ value: 0, margin: undefined }, figure(900, 800, 1_000))).toBe(false);
  });
});

test("a card leads with the first sentence, or else first words", () => {
  expect(captionParts(" Salt goes in twice. Once for the dough ")).toEqual({
    lead: "Salt goes in twice.",
    rest: "Once for the dough",
  });
  expect(captionParts("Day 1.5 of bread\n#bread")).toEqual({ lead: "Day 1.5 of bread", rest: "#bread" });
  expect(captionParts("हर रोटी फूलती है। आटा")).toEqual({ lead: "हर रोटी फूलती है।", rest: "आटा" });
  expect(captionParts("a b c d e f g h i j k l")).toEqual({ lead: "a b c d e f g h i j", rest: "k l" });
});

test("reels are sorted by any column, unknown values last in both directions", () => {
  const reels: TopReel[] = [
    { url: url("A"), likes: 2, postedAt: "2026-11-01T10:00:00Z" },
    { url: url("B"), postedAt: "2026-11-01T12:00:00+05:00" },
    { url: url("C"), likes: 9 },
  ];
  const codes = (column: "likes" | "postedAt", descending: boolean): string =>
    sortReels(reels, { column, descending })
      .map((reel) => reel.url.at(-2))
      .join("");
  expect([codes("likes", true), codes("likes", false)]).toEqual(["CAB", "ACB"]);
  expect([codes("postedAt", true), codes("postedAt", false)]).toEqual(["ABC", "BAC"]);
});

describe("a file that is imported", () => {
  test("may begin with a byte order mark", () =>
    expect(parseCollection("a.json", '\uFEFF{"handle":"lena","reels":[]}')).toEqual({
      handle: "lena",
      reels: [],
    }));
  test.each([
    ["{ reels", "a.json isn’t valid JSON"],
    ["[1]", "It needs “handle”"],
    ["null", "It needs “handle”"],
    ['{"handle":"lena"}', "It needs “handle”"],
  ])("is refused with what is wrong: %s", (text, message) =>
    expect(() => parseCollection("a.json", text)).toThrow(message),
  );
});

test("what the views over time say is said in words, pauses aside", () => {
  const weeks = [
    { start: "2026-06-01", reels: 2, medianViews: 100 },
    { start: "2026-06-08", reels: 0 },
    { start: "2026-06-15", reels: 1, medianViews: 400 },
  ];
  expect(viewsSentence(weeks)).toMatch(/, between 100 and 400\.$/);
  expect(viewsSentence([])).toBe("No views are known.");
});
