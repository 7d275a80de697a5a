import type { CompetitorReport, TopReel } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { captionParts } from "../../src/pages/reports/caption-parts.ts";
import { busiestDay, seenHours } from "../../src/pages/reports/posting-hours.ts";
import { importProblem } from "../../src/pages/reports/import/import-problem.ts";
import { parseCollection } from "../../src/pages/reports/import/parse-collection.ts";
import { sortReels } from "../../src/pages/reports/sort-reels.ts";
import { splitInsight } from "../../src/pages/reports/split-insight.ts";
import { topReelsCsv } from "../../src/pages/reports/top-reels-csv.ts";
import { viewsSentence } from "../../src/pages/reports/views-sentence.ts";

const url = (code: string): string => `https://www.instagram.com/reel/${code}/`;

describe("the CSV of top reels", () => {
  const lineOf = (caption: string): string => topReelsCsv([{ url: url("A"), caption }]).split("\r\n", 2)[1]!;
  const captionOf = (caption: string): string => lineOf(caption).slice(url("A").length + 1, -",,,,,,".length);

  test("has a line for each reel, exact figures, and nothing where nothing is known", () => {
    expect(
      topReelsCsv([
        { url: url("A"), caption: "Salt, twice", views: 1_284_903, engagementRate: 6.4, durationSeconds: 41.5 },
        { url: url("B"), postedAt: "2026-11-01T10:00:00Z" },
      ]),
    ).toBe(
      "\uFEFFurl,caption,views,likes,comments,engagement_rate_percent,posted_at,duration_seconds\r\n" +
        `${url("A")},"Salt, twice",1284903,,,6.4,,41.5\r\n` +
        `${url("B")},,,,,,2026-11-01T10:00:00Z,\r\n`,
    );
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "  =1+1", "\t=1", "\r=1", "\n=1", "＝1+1"])(
    "never lets a spreadsheet run %j",
    (caption) => expect(captionOf(caption)).toMatch(/^"?'/),
  );

  test("keeps quotes, lines and what is no formula", () => {
    expect(captionOf('Say "hi"')).toBe('"Say ""hi"""');
    expect(captionOf("one\ntwo")).toBe('"one\ntwo"');
    expect(captionOf("1 - 2 = -1")).toBe("1 - 2 = -1");
  });
});

describe("takeaways", () => {
  test.each([
    [
      "Views are rising: a median of 412 over the newest 8 reels, 200 over the oldest 8.",
      "Views are rising.",
      "A median of 412 over the newest 8 reels, 200 over the oldest 8.",
    ],
    [
      "Reels posted on Thursday between 19:00 and 20:00 (Europe/Lisbon) average 612,000 views over 9 reels, the best of 3 hours with enough; all 80 average 312,000. So few reels are a hint, not a proof.",
      "Reels posted on Thursday between 19:00 and 20:00 (Europe/Lisbon) average 612,000 views over 9 reels, the best of 3 hours with enough.",
      "All 80 average 312,000. So few reels are a hint, not a proof.",
    ],
    ["No caption of 16 has a hashtag.", "No caption of 16 has a hashtag.", undefined],
  ])("say their claim before its numbers: %s", (sentence, claim, evidence) =>
    expect(splitInsight(sentence)).toEqual({ claim, ...(evidence && { evidence }) }),
  );

  test("lead to the reel that they are about", () => {
    expect(
      splitInsight(
        `2 of 16 reels have at least 3 times the median of 900 views; the strongest has 4.4 times the median (4,000 views): ${url("R8")}`,
      ),
    ).toEqual({
      claim: "2 of 16 reels have at least 3 times the median of 900 views.",
      evidence: "The strongest has 4.4 times the median (4,000 views)",
      url: url("R8"),
    });
  });
});

test("a card leads with the first sentence, or with the first words where no sentence ends", () => {
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

describe("hours of the week", () => {
  const postingHours: CompetitorReport["postingHours"] = [
    { dayOfWeek: "Monday", hour: 7, reels: 2, avgViews: 10 },
    { dayOfWeek: "Sunday", hour: 23, reels: 3 },
  ];
  const bestPostingTimes: CompetitorReport["bestPostingTimes"] = [{ dayOfWeek: "Thursday", hour: 19, avgViews: 612 }];

  test("are all that the report tells; of older reports the best ones; else unknown", () => {
    expect(seenHours({ postingHours, bestPostingTimes })).toEqual({
      complete: true,
      hours: [
        { day: 0, hour: 7, reels: 2, avgViews: 10 },
        { day: 6, hour: 23, reels: 3 },
      ],
    });
    expect(seenHours({ bestPostingTimes })).toEqual({ complete: false, hours: [{ day: 3, hour: 19, avgViews: 612 }] });
    expect(seenHours({})).toBeUndefined();
    expect(seenHours({ bestPostingTimes: [] })).toBeUndefined();
  });

  test("have a busiest day only when one day has more than all others", () => {
    expect(busiestDay(postingHours)).toBe("Sunday");
    expect(busiestDay([...postingHours, { dayOfWeek: "Monday", hour: 8, reels: 1 }])).toBeUndefined();
    expect(busiestDay()).toBeUndefined();
  });
});

describe("a file that is imported", () => {
  test.each([
    [
      "`reels[6].postedAt`: must be a date. `reels[0].url` is missing.",
      "Row 7, “postedAt”: must be a date. Row 1, “url” is missing.",
    ],
    ["`veiws`: unknown field in `reels[41]`.", "“veiws”: unknown field in row 42."],
    ["`timezone`: must be text.", "“timezone”: must be text."],
  ])("names rows as people count them: %s", (message, told) => expect(importProblem(message)).toBe(told));

  test("may begin with a byte order mark", () =>
    expect(parseCollection("a.json", '\uFEFF{"handle":"lena","reels":[]}')).toEqual({
      collection: { handle: "lena", reels: [] },
    }));
  test.each([
    ["{ reels", "a.json isn’t valid JSON"],
    ["[1]", "It needs “handle”"],
    ["null", "It needs “handle”"],
    ['{"handle":"lena"}', "It needs “handle”"],
  ])("is refused with what is wrong: %s", (text, told) =>
    expect(parseCollection("a.json", text)).toEqual({ problem: expect.stringContaining(told) as string }),
  );
});

test("what the views over time say is said in words, pauses aside", () => {
  const weeks = [
    { start: "2026-06-01", reels: 2, avgViews: 100 },
    { start: "2026-06-08", reels: 0 },
    { start: "2026-06-15", reels: 1, avgViews: 400 },
  ];
  const sentence = viewsSentence(weeks);
  expect(sentence).toMatch(/from the first half to the second they go from 100 to 400\./i);
  expect(sentence).toMatch(/The highest is 400 in the week of .*15/);
  expect(viewsSentence(weeks.slice(0, 1))).not.toMatch(/half/);
  expect(viewsSentence([])).toBe("No views are known.");
});
