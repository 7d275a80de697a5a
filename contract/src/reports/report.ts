import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { comparisonKinds } from "../values/comparison-words.ts";
import { dayNames } from "../values/day-names.ts";
import { operation } from "../operation.ts";
import { Handle, largestCollectionBytes, ReelCollection } from "./reel-collection.ts";

/** Reports that an answer of the list shows at most. */
const listedReports = 200;

const summary = {
  id: z.string().meta({ description: "Pass to the single-report endpoint." }),
  handle: z.string().meta({ description: "Analyzed account handle, without @." }),
  createdAt: z.iso.datetime().meta({ description: "When the report was generated in the extension." }),
  reelsAnalyzed: z.int().min(0).optional().meta({ description: "Number of reels analyzed." }),
};

export const CompetitorReportSummary = z.object(summary).meta({ id: "CompetitorReportSummary" });
export type CompetitorReportSummary = z.infer<typeof CompetitorReportSummary>;

const estimatedMetrics = [
  "medianViews",
  "medianLikes",
  "medianComments",
  "avgEngagementRate",
  "postingFrequencyPerWeek",
] as const;

const average = (what: string) => z.number().min(0).optional().meta({ description: what });

export const ReportMetrics = z
  .object({
    avgViews: z.number().min(0).optional(),
    avgLikes: z.number().min(0).optional(),
    avgComments: z.number().min(0).optional(),
    medianViews: z.number().min(0).optional(),
    medianLikes: z.number().min(0).optional(),
    medianComments: z.number().min(0).optional(),
    avgEngagementRate: average("Average of the reels' own rates, in percent."),
    postingFrequencyPerWeek: average("Absent below 14 days."),
  })
  .meta({
    id: "ReportMetrics",
    description: "Of the reels whose value is known; absent when no reel has it.",
  });
export type ReportMetrics = z.infer<typeof ReportMetrics>;

const TopReel = z
  .object({
    url: z.url(),
    caption: z.string().optional(),
    views: z.int().min(0).optional(),
    likes: z.int().min(0).optional(),
    comments: z.int().min(0).optional(),
    engagementRate: z.number().min(0).optional().meta({ description: "Percentage: (likes + comments) / views * 100." }),
    postedAt: z.iso.datetime().optional(),
    durationSeconds: z.number().min(0).optional(),
  })
  .meta({ id: "TopReel" });
export type TopReel = z.infer<typeof TopReel>;

const hourOfWeek = {
  dayOfWeek: z.enum(dayNames).meta({ description: "English day name in the report's time zone." }),
  hour: z.int().min(0).max(23),
};

const PostingTime = z
  .object({
    ...hourOfWeek,
    avgViews: z.number().min(0).meta({ description: "Of the reels posted then." }),
  })
  .meta({ id: "PostingTime" });
export type PostingTime = z.infer<typeof PostingTime>;

const PostingHour = z
  .object({
    ...hourOfWeek,
    reels: z.int().min(1),
    settledReels: z.int().min(1).optional().meta({
      description: "Older than 72 hours, with known views.",
    }),
    avgViews: z.number().min(0).optional().meta({
      description: "Their average views.",
    }),
    medianViews: z.number().min(0).optional(),
  })
  .meta({ id: "PostingHour" });
export type PostingHour = z.infer<typeof PostingHour>;

const ReportWeek = z
  .object({
    start: z.iso.date().meta({ description: "The week's Monday in the report's time zone." }),
    reels: z.int().min(0).meta({ description: "Reels posted in the week; 0 in a pause." }),
    avgViews: average("Those of the newest reels still grow."),
    medianViews: z.number().min(0).optional(),
  })
  .meta({ id: "ReportWeek", description: "Of reels with known views." });
export type ReportWeek = z.infer<typeof ReportWeek>;

const postedAt = z.iso.datetime().optional();

const Interval = z.object({ low: z.number(), high: z.number() });

const Comparison = z
  .object({
    kind: z.enum(comparisonKinds),
    hours: z.object({ from: z.int(), to: z.int() }).optional(),
    days: z.array(z.string()).optional(),
    upTo: z.number().optional(),
    above: z.number().optional(),
    clear: z.boolean(),
    times: z.number(),
    ...Interval.shape,
    chance: z.number(),
    reels: z.int(),
    typical: z.number(),
    otherReels: z.int(),
    otherTypical: z.number(),
    proof: z.array(TopReel),
  })
  .meta({
    id: "Comparison",
    description:
      "`times` as many views as the others (or the oldest half), its 95% interval, and how often chance alone shows as much. `proof`: a typical reel of each side.",
  });
export type Comparison = z.infer<typeof Comparison>;

/** What is computed from the collected reels. */
export const ReportFindings = z.object({
  metrics: ReportMetrics,
  topReels: z.array(TopReel).meta({ description: "Up to 10 reels whose views are known, highest views first." }),
  bestPostingTimes: z.array(PostingTime).optional().meta({
    description: "Within hours or days that clearly get more views; best first.",
  }),
  firstPostedAt: postedAt,
  lastPostedAt: postedAt,
  weeks: z.array(ReportWeek).optional().meta({
    description: "From the first reel to the last; absent below 14 days.",
  }),
  postingHours: z.array(PostingHour).optional().meta({
    description: "Every hour of the week with reels, from Monday 0:00 on.",
  }),
  intervals: z.partialRecord(z.enum(estimatedMetrics), Interval).optional().meta({ description: "95% intervals." }),
  comparisons: z.array(Comparison).optional().meta({
    description: "Clear ones first; absent under 12 reels.",
  }),
  insights: z.array(z.string()).optional().meta({ description: "Of older reports, which were not tested." }),
});
export type ReportFindings = z.infer<typeof ReportFindings>;

export const CompetitorReport = z
  .object({
    ...summary,
    timezone: z.string().meta({ description: "The IANA time zone in which posting times are told." }),
    ...ReportFindings.shape,
    insights: z.array(z.string()).meta({
      description: "Clear differences in words.",
    }),
  })
  .meta({ id: "CompetitorReport" });
export type CompetitorReport = z.infer<typeof CompetitorReport>;

export const listCompetitorReports = operation({
  summary: "List the competitor reports",
  description: `Returns summaries of the account's competitor reports, newest first, at most ${listedReports} at a time. Reports are made in the browser extension.`,
  tag: "Reports",
  access: "key",
  http: { method: "GET", path: "/competitor-reports" },
  tools: [
    {
      name: "list_my_competitor_reports",
      title: "List my competitor reports",
      description: `Lists the competitor reports of the account, newest first (needs an API key).\nUse this tool when you need to:\n- see which accounts were analyzed, and when\n- find the id of a report for get_competitor_report\nSummaries only, at most ${listedReports} at a time; go on with cursor. Reports are made in the browser extension, never here. Costs nothing.`,
      openWorld: false,
    },
  ],
  input: z.object({
    limit: z
      .int()
      .min(1)
      .max(listedReports)
      .default(listedReports)
      .meta({ description: "How many reports to return." }),
    cursor: Cursor.optional(),
  }),
  output: z
    .object({ reports: z.array(CompetitorReportSummary), nextCursor: NextCursor })
    .meta({ id: "CompetitorReportList" }),
  errors: [],
  example: {},
});

const ReportId = z.string().min(1).max(128);

export const getCompetitorReport = operation({
  summary: "Get a competitor report",
  description: "Returns one report in full: averages, the most viewed reels, posting times and takeaways.",
  tag: "Reports",
  access: "key",
  http: { method: "GET", path: "/competitor-reports/{id}" },
  tools: [
    {
      name: "get_competitor_report",
      title: "Get a competitor report",
      description:
        "Reads one competitor report in full: averages, most viewed reels, posting times, takeaways (needs an API key).\nUse this tool when you need to:\n- learn what works for an analyzed account\n- compare accounts, or plan reels from the numbers\nGive either id (from list_my_competitor_reports) or handle (its newest report), not both. [notFound] when there is none: reports are made in the browser extension. Costs nothing.",
      input: z
        .strictObject({
          id: ReportId.optional().meta({ description: "A report id from list_my_competitor_reports." }),
          handle: Handle.optional().meta({ description: "Account handle, with or without @: its newest report." }),
        })
        .refine(({ id, handle }) => (id === undefined) !== (handle === undefined), {
          error: "give either `id` or `handle`, and not both",
        }),
      toInput: ({ id, handle }) => ({ id: id ?? `@${String(handle).replace(/^@/, "")}` }),
      openWorld: false,
    },
  ],
  input: z.object({
    id: ReportId.meta({
      description: "A report id from the list, or `@handle` for the newest report of that account.",
    }),
  }),
  output: CompetitorReport,
  errors: ["notFound"],
  example: { id: "rep_4Tz8Qm1Lw0XcVb7K" },
});

export const importReport = operation({
  summary: "Make a competitor report",
  description:
    "Makes a report of the reels that the person collected in the browser, and counts its reels against the posts of the plan.",
  tag: "Reports",
  access: "session",
  http: { method: "POST", path: "/competitor-reports", idempotent: true, maxBodyBytes: largestCollectionBytes },
  input: ReelCollection,
  output: CompetitorReport,
  errors: ["limitReached"],
  example: {
    handle: "lena.bakes",
    timezone: "Europe/Lisbon",
    collectedAt: "2026-11-20T10:00:00Z",
    reels: [{ url: "https://www.instagram.com/reel/DLlGZiCOBQ0/", views: 1_284_903, likes: 79_118, comments: 3_102 }],
  },
});

export const deleteReport = operation({
  summary: "Delete a competitor report",
  description: "Deletes it permanently. The posts that it used stay used.",
  tag: "Reports",
  access: "session",
  http: { method: "DELETE", path: "/competitor-reports/{id}" },
  input: z.object({ id: z.string().min(1).max(128) }),
  output: z.object({ id: z.string() }),
  errors: ["notFound"],
  example: { id: "rep_4Tz8Qm1Lw0XcVb7K" },
});
