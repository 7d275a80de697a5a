import type { ReelCollection } from "@reelscript/contract";

type Collected = ReelCollection["reels"][number];

const url = (code: string): string => `https://www.instagram.com/reel/${code}/`;

/**
 * Four reels; what was not seen is left out.
 * likes + comments over views: A 50 / 1000 = 5 %, B 60 / 3000 = 2 %, C unknown (comments), D unknown (views).
 */
export const fourReels: ReelCollection = {
  handle: "@Cook.Daily",
  timezone: "Europe/Berlin",
  collectedAt: "2026-11-20T10:00:00Z",
  reels: [
    { url: url("A"), views: 1_000, likes: 40, comments: 10, postedAt: "2026-11-01T10:00:00Z", durationSeconds: 10 },
    { url: url("B"), views: 3_000, likes: 50, comments: 10, postedAt: "2026-11-08T10:00:00Z", caption: "Soup" },
    { url: url("C"), views: 2_000, likes: 60, postedAt: "2026-11-15T10:00:00Z" },
    { url: url("D"), likes: 10, comments: 4 },
  ],
};

export const fourReelsFindings = {
  metrics: {
    avgViews: 2_000, // (1000 + 3000 + 2000) / 3
    avgLikes: 40, // (40 + 50 + 60 + 10) / 4
    avgComments: 8, // (10 + 10 + 4) / 3
    medianViews: 2_000,
    medianLikes: 45, // between 40 and 50
    medianComments: 10,
    avgEngagementRate: 3.5, // (5 + 2) / 2; the rate of the averages would be 2.4
    postingFrequencyPerWeek: 1, // (3 - 1) / 2 weeks
  },
  topReels: [
    {
      url: url("B"),
      caption: "Soup",
      views: 3_000,
      likes: 50,
      comments: 10,
      engagementRate: 2,
      postedAt: "2026-11-08T10:00:00.000Z",
    },
    { url: url("C"), views: 2_000, likes: 60, postedAt: "2026-11-15T10:00:00.000Z", stillGrowing: true },
    {
      url: url("A"),
      views: 1_000,
      likes: 40,
      comments: 10,
      engagementRate: 5,
      postedAt: "2026-11-01T10:00:00.000Z",
      durationSeconds: 10,
    },
  ],
  firstPostedAt: "2026-11-01T10:00:00.000Z",
  lastPostedAt: "2026-11-15T10:00:00.000Z",
  // Three Sundays, each the last day of its week.
  weeks: [
    { start: "2026-10-26", reels: 1, avgViews: 1_000, medianViews: 1_000 },
    { start: "2026-11-02", reels: 1, avgViews: 3_000, medianViews: 3_000 },
    { start: "2026-11-09", reels: 1, avgViews: 2_000, medianViews: 2_000 },
  ],
  postingHours: [{ dayOfWeek: "Sunday", hour: 11, reels: 3, settledReels: 3, avgViews: 2_000, medianViews: 2_000 }],
  intervals: {},
  notCompared: { reason: "tooFewReels", reels: 4, needed: 12 },
  growing: { reels: 1, days: 7, leftOut: 0 },
};

/**
 * Sixteen reels, one a day from Tuesday 1 to Wednesday 16 September 2026 at 22:30 UTC: 04:00 of the next day in Kolkata.
 * So three are of a Wednesday there (1, 8, 15 by UTC), three of a Thursday (2, 9, 16), two of each other day.
 * Views: 4000 on day 8, 700 on days 2, 9 and 16, else 1000: 10700 in days 1 to 8, 7400 in days 9 to 16.
 * Likes: 2 % of the views in days 1 to 8, 5 % in days 9 to 16.
 */
const posted = (day: number): string => `2026-09-${String(day).padStart(2, "0")}T22:30:00Z`;
const viewsOn = (day: number): number => (day === 8 ? 4_000 : day % 7 === 2 ? 700 : 1_000);
const days = Array.from({ length: 16 }, (_, index) => index + 1);

export const sixteenReels: ReelCollection = {
  handle: "cook.daily",
  timezone: "Asia/Kolkata",
  collectedAt: "2026-09-30T00:00:00Z",
  reels: days.map((day): Collected => {
    const views = viewsOn(day);
    return {
      url: url(`R${day}`),
      caption: day <= 6 ? `Day ${day} #soup #Quick` : `Day ${day}`,
      views,
      likes: day <= 8 ? views / 50 : views / 20,
      comments: 0,
      postedAt: posted(day),
      durationSeconds: day * 2,
    };
  }),
};

export const sixteenReelsFindings = {
  metrics: {
    avgViews: 1_131.25, // (10700 + 7400) / 16
    avgLikes: 36.5, // (2 % of 10700 + 5 % of 7400) / 16 = (214 + 370) / 16
    avgComments: 0,
    medianViews: 1_000,
    medianLikes: 35, // between the two 35 of 14, 20 (6 times), 35, 35, 50 (6 times), 80
    medianComments: 0,
    avgEngagementRate: 3.5, // (8 * 2 + 8 * 5) / 16
    postingFrequencyPerWeek: 7, // 15 steps in 15 days
  },
  firstPostedAt: "2026-09-01T22:30:00.000Z",
  lastPostedAt: "2026-09-16T22:30:00.000Z",
  // 2 September 2026 is a Wednesday.
  weeks: [
    { start: "2026-08-31", reels: 5, avgViews: 940, medianViews: 1_000 }, // (4 * 1000 + 700) / 5
    { start: "2026-09-07", reels: 7, avgViews: 9_700 / 7, medianViews: 1_000 }, // 5 * 1000 + 4000 + 700
    { start: "2026-09-14", reels: 4, avgViews: 925, medianViews: 1_000 }, // (3 * 1000 + 700) / 4
  ],
  postingHours: [
    { dayOfWeek: "Monday", hour: 4, reels: 2, settledReels: 2, avgViews: 1_000, medianViews: 1_000 },
    { dayOfWeek: "Tuesday", hour: 4, reels: 2, settledReels: 2, avgViews: 1_000, medianViews: 1_000 },
    { dayOfWeek: "Wednesday", hour: 4, reels: 3, settledReels: 3, avgViews: 2_000, medianViews: 1_000 },
    { dayOfWeek: "Thursday", hour: 4, reels: 3, settledReels: 3, avgViews: 700, medianViews: 700 },
    { dayOfWeek: "Friday", hour: 4, reels: 2, settledReels: 2, avgViews: 1_000, medianViews: 1_000 },
    { dayOfWeek: "Saturday", hour: 4, reels: 2, settledReels: 2, avgViews: 1_000, medianViews: 1_000 },
    { dayOfWeek: "Sunday", hour: 4, reels: 2, settledReels: 2, avgViews: 1_000, medianViews: 1_000 },
  ],
};
