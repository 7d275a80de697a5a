import { describe, expect, test } from "vitest";
import { alter, report, withReels } from "./report-of-sixteen.ts";

describe("takeaways say", () => {
  const said = (change: Parameters<typeof alter>[0]) => {
    const { insights, checked = [] } = alter(change).findings;
    return [...insights, ...checked].join("\n");
  };

  test.each<[string, Parameters<typeof alter>[0], string]>([
    [
      "that nothing stands out",
      () => ({ views: 500 }),
      "No reel took off: none of 16 has 3 times the typical 500 views.",
    ],
    [
      "which length is seen more",
      (_, index) => ({ views: index < 8 ? 900 : 300 }),
      "Reels of up to 17 s get 3 times the views: typically 900 (8 reels), against 300 for longer reels (8).",
    ],
    [
      "what is seen more when the other side has no views",
      (_, index) => ({ views: index < 8 ? 0 : 30 }),
      "Longer reels get more views: typically 30 (8 reels), against 0 for reels of up to 17 s (8).",
    ],
    [
      "which captions are seen more",
      (_, index) => ({ views: index < 6 ? 200 : 100 }),
      "Reels with longer captions get 2 times the views: typically 200 (6 reels), against 100 for reels with captions of up to 6 characters (10).",
    ],
    [
      "which hashtag goes with more views",
      (_, index) => ({ views: index < 6 ? 200 : 100 }),
      "Reels with #quick get 2 times the views: typically 200 (6 reels), against 100 for reels without #quick (10).",
    ],
    [
      "that hashtags are used everywhere",
      (_, index) => ({ caption: `#a ${index}` }),
      "16 of 16 captions have hashtags: too one-sided to compare.",
    ],
    ["that there are no hashtags", () => ({ caption: "plain" }), "None of 16 captions has a hashtag."],
    [
      "that views fall",
      (_, index) => ({ views: index < 8 ? 200 : 100 }),
      "Views are falling: typically 100 over the newest 8 reels older than 72 hours, 200 over the oldest 8.",
    ],
    [
      "that engagement falls",
      (_, index) => ({ views: 100, likes: index < 8 ? 10 : 5 }),
      "Engagement is falling: 5% on average over the newest 8 reels, 10% over the oldest 8.",
    ],
    [
      "that the pace rises, and the longest pause",
      (_, index) => (index === 0 ? { postedAt: "2026-08-22T22:30:00Z" } : {}),
      "The pace is rising: 13 reels in the later half of the period, 3 in the earlier (12.5 days each).\nThe longest pause between two reels was 11 days, from August 23, 2026 to September 3, 2026; the usual one is 24 hours (median of 15).",
    ],
    [
      "what is not known",
      (_, index) => (index < 2 ? { views: null, comments: null } : {}),
      "Of 16 reels some values are hidden: views of 2, comments of 2. Averages skip them.",
    ],
    [
      "that no hour has enough reels",
      (_, index) => ({ postedAt: new Date(Date.UTC(2026, 8, 1, index * 5)).toISOString() }),
      "No hour of the week has 3 reels older than 72 hours, so there is no best time yet (16 reels checked).",
    ],
  ])("%s", (_name, change, sentence) => expect(said(change)).toContain(sentence));

  test("nothing of what is not known at all", () => {
    const nothing = report(
      withReels(Array.from({ length: 12 }, (_, index) => ({ url: `https://www.instagram.com/reel/N${index}/` }))),
    ).findings;
    expect(nothing).toEqual({
      metrics: {},
      topReels: [],
      insights: ["No clear pattern yet: in these 12 reels nothing changes views reliably."],
      checked: [
        "Of 12 reels some values are hidden: views of 12, likes of 12, comments of 12, date of 12. Averages skip them.",
      ],
    });
  });
});

test("only what chance would hardly explain is a takeaway", () => {
  const noise = [520, 480, 510, 495, 505, 490, 515, 500, 485, 525, 498, 507, 512, 488, 503, 497];
  const steady = alter((_, index) => ({ views: noise[index] ?? 500, likes: 5 })).findings;
  expect(steady.insights).toEqual(["No clear pattern yet: in these 16 reels nothing changes views reliably."]);
  const doubled = alter((_, index) => ({ views: (noise[index] ?? 500) * (index < 8 ? 2 : 1), likes: 5 })).findings;
  expect(doubled.insights.join("\n")).toContain("Views are falling: typically");
  expect(doubled.checked?.join("\n")).not.toContain("Views are falling");
});
