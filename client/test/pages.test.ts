import { describe, expect, it } from "vitest";
import { createPage } from "../src/cli/surroundings.ts";
import { present } from "../src/cli/present.ts";

const page = createPage({ isTTY: false }, {});
const createdAt = "2026-09-30T08:15:00.000Z";

describe("reports on the command line", () => {
  it("are listed as a table", () => {
    const reports = [
      { id: "rep_2", handle: "cook.daily", createdAt, reelsAnalyzed: 1_000 },
      { id: "rep_1", handle: "b", createdAt },
    ];
    expect(present("listCompetitorReports", { reports }, page).body).toBe(
      [
        "Reports",
        "ID     HANDLE      CREATED AT            REELS ANALYZED",
        "rep_2  cook.daily  2026-09-30 08:15 UTC           1,000",
        "rep_1  b           2026-09-30 08:15 UTC               –",
      ].join("\n"),
    );
  });

  it("say where reports come from when there are none", () => {
    expect(present("listCompetitorReports", { reports: [] }, page)).toEqual({
      body: "",
      note: "No reports yet. Create one in the browser extension.",
    });
  });

  it("are shown as lines and tables", () => {
    const { body } = present(
      "getCompetitorReport",
      {
        id: "rep_1",
        handle: "cook.daily",
        createdAt,
        reelsAnalyzed: 16,
        timezone: "Asia/Kolkata",
        metrics: { avgViews: 1_131.25, avgEngagementRate: 3.456, postingFrequencyPerWeek: 7 },
        topReels: [{ url: "https://reels.test/reel/a/", views: 4_000, engagementRate: 2, caption: "Soup" }],
        bestPostingTimes: [{ dayOfWeek: "Wednesday", hour: 4, avgViews: 2_000 }],
        advice: [],
        insights: ["Views are steady."],
      },
      page,
    );
    expect(body).toBe(
      [
        "Id                                  rep_1",
        "Handle                              cook.daily",
        "Created at                          2026-09-30 08:15 UTC",
        "Reels analyzed                      16",
        "Timezone                            Asia/Kolkata",
        "Metrics avg views                   1,131.25",
        "Metrics avg engagement rate         3.456",
        "Metrics posting frequency per week  7",
        "Advice                              –",
        "",
        "Top reels",
        "URL                         VIEWS  ENGAGEMENT RATE  CAPTION",
        "https://reels.test/reel/a/  4,000                2  Soup",
        "",
        "Best posting times",
        "DAY OF WEEK  HOUR  AVG VIEWS",
        "Wednesday       4      2,000",
        "",
        "Insights",
        "Views are steady.",
      ].join("\n"),
    );
  });

  it("are shown without sections for which there is nothing", () => {
    const { body } = present(
      "getCompetitorReport",
      {
        id: "r",
        handle: "b",
        createdAt,
        timezone: "UTC",
        metrics: { postingFrequencyPerWeek: 0 },
        topReels: [],
        bestPostingTimes: [],
        advice: [],
        insights: ["Too few."],
      },
      page,
    );
    expect(body).not.toMatch(/undefined|NaN/);
    expect(body).toMatch(/^Top reels +–$/m);
    expect(body).toContain("\nInsights\nToo few.");
  });
});

const reelUrl = "https://reels.test/reel/a/";
const receipt = { model: "m", revision: 1, languageProbability: 0.9, speechSeconds: 60, audioSeconds: 70, cut: false };
const segments = [
  { start: 0, end: 4, text: "One hook." },
  { start: 65.5, end: 70, text: "Another." },
];

describe("scripts on the command line", () => {
  it("are shown with the times at which things are said", () => {
    const script = {
      id: "scr_1",
      reelUrl,
      language: "en",
      transcript: "One hook. Another.",
      segments,
      gaps: [],
      receipt,
    };
    expect(present("getScript", script, page)).toEqual({
      body: "0:00  One hook.\n1:05  Another.",
      note: `English · ${reelUrl}`,
    });
    expect(present("getScript", { ...script, segments: [], truncated: true }, page)).toEqual({
      body: "One hook. Another.",
      note: `English · cut off: the audio is very long · ${reelUrl}`,
    });
  });

  it("show matches with their times, and how to continue", () => {
    const snippet = [
      { text: "before the ", hit: false },
      { text: "hook", hit: true },
    ];
    const scripts = [
      { id: "scr_1", reelUrl, transcript: "Long ago.", snippet, at: 65.5 },
      { id: "scr_2", reelUrl, transcript: "Said.", snippet },
      { id: "scr_3", reelUrl, transcript: "", caption: "Written." },
    ];
    const { body, note } = present("searchMyScripts", { scripts, total: 9, nextCursor: "abc" }, page);
    expect(body.split("\n").filter((line) => line.startsWith("  "))).toEqual([
      "  1:05  before the hook",
      "  before the hook",
      "  Written.",
    ]);
    expect(note).toBe("3 of 9 scripts; continue with --cursor abc");
  });
});
