import { readFileSync } from "node:fs";
import path from "node:path";
import { ReelCollection, type CompetitorReport } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { accountOf, type AccountPlan } from "./made-up-accounts.ts";
import { described, type Collected } from "./report-of-sixteen.ts";

/**
 * Real collections that fooled reports, by REPORT_CASES_DIR; without it only their made-up likenesses are judged. A check
 * holds for both.
 */
const folder = process.env["REPORT_CASES_DIR"] ?? "";
const skipped = folder === "" ? " (skipped: REPORT_CASES_DIR names no folder of collections)" : "";
const collectedAt = "2026-11-20T10:00:00Z";
const day = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.parse(collectedAt) - days * day).toISOString();

/** A collection of reels that are made up. */
function collectionOf(seed: number, plan: AccountPlan, change: (reel: Collected, index: number) => Collected[]) {
  const reels = accountOf(seed, plan).map((reel): Collected => ({
    url: reel.url,
    caption: reel.caption,
    views: reel.views,
    likes: reel.likes,
    comments: reel.comments,
    postedAt: reel.postedAt!.toISOString(),
    durationSeconds: reel.durationSeconds,
  }));
  return ReelCollection.parse({ handle: "made.up", timezone: "UTC", collectedAt, reels: reels.flatMap(change) });
}

const usual: AccountPlan = { reels: 100, sigma: () => 0.99 };
const changed = (change: (reel: Collected, index: number) => Partial<Collected>, plan = usual): ReelCollection =>
  collectionOf(11, plan, (reel, index) => [{ ...reel, ...change(reel, index) }]);
const said = ({ insights }: CompetitorReport): string => insights.join("\n");
/** Share of its final views that a reel has after so many days. */
const grownOnTikTok = (days: number): number => 1 - 0.7 * Math.exp(-days / 3);
const grownOnYouTube = (days: number): number => 1 - 0.85 * Math.exp(-days / 20);

/** Sixty reels that all end with the same views but for chance, at so many days from each other. */
const growing = (days: number, grown: (days: number) => number): ReelCollection =>
  changed(
    ({ views }, index) => {
      const age = (60 - index) * days;
      return { postedAt: daysAgo(age), views: Math.round(views! * grown(age)) };
    },
    { reels: 60, sigma: () => 0.5 },
  );

interface Case {
  readonly title: string;
  /** Names in the folder. */
  readonly files: readonly string[];
  readonly madeUp: readonly ReelCollection[];
  readonly holds: (...reports: CompetitorReport[]) => void;
}

const oneUnknown =
  (name: string) =>
  (report: CompetitorReport): void => {
    expect(report.unknownValues).toEqual({ [name]: 1 });
    expect(report.reelsAnalyzed).toBe(100);
    expect(said(report)).toMatch(/1 value is out of range and counts as unknown/);
  };

const noFall = (report: CompetitorReport): void => {
  expect((report.comparisons ?? []).filter(({ kind, clear, times }) => kind === "views" && clear && times < 1)).toEqual(
    [],
  );
  expect(said(report)).toMatch(/still grow/);
};

const pinned: Collected[] = [900, 850, 800].map((days, index) => ({
  url: `https://www.instagram.com/reel/PINNED${index}/`,
  views: 2_000_000,
  postedAt: daysAgo(days),
}));

const cases: readonly Case[] = [
  {
    title: "three pinned reels change neither frequency nor median much",
    files: ["01-pinned-old-reels", "01b-same-without-pinned"],
    madeUp: [
      collectionOf(11, usual, (reel, index) => (index === 0 ? [...pinned, reel] : [reel])),
      collectionOf(11, usual, (reel) => [reel]),
    ],
    holds(one, other) {
      expect(one.metrics.postingFrequencyPerWeek / other.metrics.postingFrequencyPerWeek).toBeCloseTo(1, 1);
      expect(one.metrics.medianViews! / other.metrics.medianViews!).toBeCloseTo(1, 0);
    },
  },
  {
    title: "where views are hidden, likes are compared, and it says so",
    files: ["02-views-hidden-everywhere"],
    madeUp: [changed(() => ({ views: null }))],
    holds(report) {
      expect(said(report)).toMatch(/likes are compared/);
      expect(said(report)).not.toMatch(/\bviews (?!are known)|Nothing differs/);
      expect(report.nextReel?.outcome).toBe("likes");
      expect(report.topReels).toHaveLength(10);
    },
  },
  {
    title: "where all counts are hidden, nothing could be compared",
    files: [],
    madeUp: [changed(() => ({ views: null, likes: null }))],
    holds(report) {
      expect(report.notCompared).toMatchObject({ reason: "countsHidden", reels: 0, needed: 12 });
      expect(said(report)).toMatch(/^Nothing could be compared: the views and likes of these reels are hidden\./);
    },
  },
  {
    title: "where all reels are fresh, nothing could be compared",
    files: ["03-all-younger-than-72h"],
    madeUp: [changed((_, index) => ({ postedAt: daysAgo(index / 40) }))],
    holds(report) {
      expect(report.notCompared).toMatchObject({ reason: "stillGrowing", reels: 0, needed: 12 });
      expect(said(report)).toMatch(/^Nothing could be compared: these reels are so new/);
      expect(said(report)).not.toMatch(/Nothing differs/);
    },
  },
  {
    title: "one viral reel moves no headline, and can't be copied",
    files: ["05-one-viral-x1000"],
    madeUp: [
      changed(({ views }, index) => (index === 50 ? { views: views! * 1_000 } : {}), { ...usual, sigma: () => 0.3 }),
    ],
    holds(report) {
      const { avgViews = 0, medianViews = 0 } = report.metrics;
      expect(avgViews / medianViews).toBeGreaterThan(5);
      expect(report.nextReel!.high).toBeLessThan(medianViews * 10);
      expect(report.outliers![0]!.multiple).toBeGreaterThan(100);
      expect(said(report)).toMatch(/got (?:[\d,]+|more than 3) times what (?:its|their) neighbors got/);
      expect(report.advice).toEqual([]);
    },
  },
  {
    title: "with comments off, engagement is of likes, and it says so",
    files: ["07-comments-off"],
    madeUp: [changed(() => ({ comments: null }))],
    holds(report) {
      expect(report.engagementFrom).toBe("likes");
      expect(report.metrics.avgEngagementRate).toBeGreaterThan(1);
      expect(report.topReels[0]!.engagementRate).toBeGreaterThan(0);
      expect(said(report)).toMatch(/Comments are hidden: engagement is likes per view\./);
    },
  },
  {
    title: "likes of -1 are unknown, and the rest counts",
    files: ["08-likes-minus-one"],
    madeUp: [changed((_, index) => (index === 3 ? { likes: -1 } : {}))],
    holds: oneUnknown("likes"),
  },
  {
    title: "a date of 1970 is unknown, and the rest counts",
    files: ["15-one-date-1970"],
    madeUp: [changed((_, index) => (index === 3 ? { postedAt: "1970-01-01T00:00:00Z" } : {}))],
    holds: oneUnknown("postedAt"),
  },
  {
    title: "a video above a day is unknown, and the rest counts",
    files: ["18-stream-over-a-day"],
    madeUp: [changed((_, index) => (index === 3 ? { durationSeconds: 88_705 } : {}))],
    holds: oneUnknown("durationSeconds"),
  },
  {
    title: "full-width number signs are hashtags",
    files: ["13b-fullwidth-hash-only"],
    madeUp: [changed((_, index) => ({ caption: index % 2 ? "soup ＃bread" : "soup" }))],
    holds(report) {
      const hashtags = report.comparisons!.find(({ kind }) => kind === "hashtags")!;
      expect(hashtags.reels + hashtags.otherReels).toBe(100);
      expect(Math.min(hashtags.reels, hashtags.otherReels)).toBeGreaterThan(20);
    },
  },
  {
    title: "young reels on TikTok that still grow are no fall",
    files: ["20-growing-tiktok"],
    madeUp: [growing(0.25, grownOnTikTok)],
    holds: noFall,
  },
  {
    title: "young videos on YouTube that still grow are no fall",
    files: ["21-growing-youtube"],
    madeUp: [growing(1, grownOnYouTube)],
    holds: noFall,
  },
];

describe("what is true of a collection that fooled reports", () => {
  test.each(cases)("$title, made up", ({ madeUp, holds }) =>
    expect(() => holds(...madeUp.map(described))).not.toThrow(),
  );

  test.skipIf(folder === "").each(cases.filter(({ files }) => files.length > 0))(
    `$title${skipped}`,
    ({ files, holds }) => {
      const reports = files.map((name) =>
        described(ReelCollection.parse(JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8")))),
      );
      expect(() => holds(...reports)).not.toThrow();
    },
  );
});
