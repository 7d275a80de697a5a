import type { Comparison, CompetitorReport, TopReel } from "@reelscript/contract";
import { comparisonWords } from "@reelscript/contract/values";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { NextPosts } from "../../src/pages/reports/next-posts.tsx";
import { captionParts } from "../../src/format.ts";
import { KindsOfReels } from "../../src/pages/reports/kinds-of-reels.tsx";
import { HowChecked, ReportNotes, WhyReport } from "../../src/pages/reports/report-findings.tsx";
import { Outliers } from "../../src/pages/reports/top-reels.tsx";
import { figureConclusions, ownSentence } from "../../src/pages/reports/compare/figure-conclusions.ts";
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
  test("is advice with an example and its sureness, without figures", () => {
    const card = drawn(NextPosts, { advice: [advice], comparisons: [comparison({ sureness: "fairly sure" })] });
    expect(card).toContain("Post at 18:00–24:00.");
    expect(card).toContain("Fairly sure");
    expect(card).toContain(url("EX"));
    expect(card).not.toMatch(/82,000 views for these|Reels posted 18:00–24:00 get/);
  });

  test("names what it gains, two reels to copy and one to avoid", () => {
    const gain = "About 1.4 times the views; at least 1.2.";
    const card = drawn(NextPosts, {
      advice: [{ ...advice, gain, copy: [reel("ONE"), reel("TWO")], avoid: reel("NOT") }],
    });
    expect(card).toMatch(/About 1\.4 times the views; at least 1\.2\.[^]*Copy[^]*ONE[^]*Copy[^]*TWO[^]*Skip[^]*NOT/);
    expect(card).not.toContain(url("EX"));
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
  test("is why, once: each clear difference with its conclusion, figures and what coincides", () => {
    const page = drawn(WhyReport, {
      advice: [advice],
      comparisons: [
        comparison({ sureness: "sure", conclusion: "Evenings pay.", also: [{ kind: "topic", topic: "#rye" }] }),
        comparison({ kind: "views", times: 1.9 }),
        comparison({ kind: "length", above: 41, clear: false }),
      ],
    });
    expect(page).toMatch(/Evenings pay\.[^]*82K views for these 20[^]*Sure\.[^]*those with #rye/);
    expect(page).toContain("The newest 20 typically got 1.9 times the views of the oldest 60.");
    expect(page).not.toContain("over 41 s");
    expect(drawn(WhyReport, {})).toBe("");
  });

  test("is why nothing was compared, and not that nothing differs", () => {
    const text = "Nothing could be compared: the views and likes of these reels are hidden.";
    expect(drawn(WhyReport, { notCompared: { reason: "countsHidden", reels: 0, needed: 12, text } })).toContain(text);
    expect(drawn(HowChecked, {})).toBe("");
  });

  test("has what makes no difference in a closed part, and notes before it", () => {
    const same = "No clear difference by length.";
    const growing = "3 reels are younger than 7 days and still grow.";
    const none = comparison({ kind: "length", above: 41, clear: false, conclusion: "No difference to count on." });
    const changes = { comparisons: [none], details: [same], notes: [growing], insights: [same, growing] };
    expect(drawn(ReportNotes, changes)).toContain(growing);
    expect(drawn(ReportNotes, changes)).not.toContain(same);
    const closed = drawn(HowChecked, changes);
    expect(closed).toMatch(/^<details class="closed-part"><summary>How this was checked<\/summary>/);
    for (const sentence of [same, "No difference to count on.", "Reels over 41 s"])
      expect(closed.split(sentence)).toHaveLength(2);
  });
});

test("kinds of reels say how many there are and how each does", () => {
  const page = drawn(KindsOfReels, {
    metrics: { postingFrequencyPerWeek: 0, medianViews: 9 },
    formats: [{ name: "up to 15 s", reels: 12, share: 0.4, typical: 5_120, multiple: 1.26, engagementRate: 4.56 }],
    pillars: [{ name: "#rye", reels: 9, share: 0.3 }],
  });
  for (const figure of ["up to 15 s", "12 (40%)", "5.12K", "1.3x", "4.6%", "#rye", "9 (30%)", "Median views"])
    expect(page).toContain(figure);
  expect(drawn(KindsOfReels, {})).toBe("");
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

describe("accounts side by side", () => {
  const account = (handle: string, medianViews: number, perWeek = 0): CompetitorReport => ({
    ...bare,
    handle,
    metrics: { medianViews, avgViews: medianViews * 2, postingFrequencyPerWeek: perWeek },
    margins: { medianViews: { low: medianViews * 0.9, high: medianViews * 1.1 } },
  });

  test.each<[string | undefined, string]>([
    ["ana", "Median views: @bo (12K) is clearly above your @ana (4K)."],
    ["bo", "Median views: your @bo (12K) is clearly above @ana (4K)."],
    [undefined, "Median views: @bo (12K) is clearly above @ana (4K)."],
  ])("end in a conclusion that names both and knows whose is %s", (ownHandle, sentence) =>
    // Averages are moved by single reels, and a frequency of 0 isn't known.
    expect(figureConclusions([account("ana", 4_000), account("bo", 12_000)], ownHandle)).toEqual([sentence]),
  );

  test("don’t differ clearly where their margins overlap", () => {
    const reports = [account("ana", 10_000, 2), account("bo", 11_000, 3), account("cy", 10_500)];
    expect(figureConclusions(reports, "cy")).toEqual(["No clear difference in median views and reels per week."]);
    expect(figureConclusions(reports.slice(0, 1), undefined)).toEqual([]);
  });

  test.each<[readonly string[], string | undefined, string | undefined]>([
    [["ana", "bo"], "bo", "@bo is yours, compared with @ana."],
    [["ana", "bo", "cy"], "ana", "@ana is yours, compared with @bo and @cy."],
    [["ana", "bo"], undefined, undefined],
    [["ana", "bo", "cy"], "gone", undefined],
    [["ana"], "ana", "@ana is yours."],
  ])("say whose is whose: %j, %s", (handles, ownHandle, sentence) =>
    expect(ownSentence(handles, ownHandle)).toBe(sentence),
  );
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
