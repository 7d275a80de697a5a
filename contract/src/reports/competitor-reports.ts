import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { Id, onOne, operation } from "../operation.ts";
import { platformNames } from "../values/links/link-grammar.ts";
import { AudienceTimezone, Handle, largestCollectionBytes, ReelCollection } from "./reel-collection.ts";
import { CompetitorReport, CompetitorReportSummary, StoredReportMetrics } from "./report.ts";

const exampleReport = {
  id: "rep_4Tz8Qm1Lw0XcVb7K",
  handle: "ana.coffee",
  createdAt: "2026-11-20T10:00:00.000Z",
  reelsAnalyzed: 48,
};

/** Maximum of reports in a page of the list. */
const listedReports = 200;

const listing = {
  limit: z.int().min(1).max(listedReports).default(listedReports),
  cursor: Cursor.optional(),
};

export const listCompetitorReports = operation({
  summary: "List the competitor reports",
  description: `Returns summaries, newest first, at most ${listedReports} at a time. People create reports in the browser extension, or from a file in the dashboard.`,
  section: "Reports",
  access: "key",
  http: { method: "GET", path: "/competitor-reports" },
  tools: [
    {
      name: "list_my_competitor_reports",
      title: "List my competitor reports",
      description: `Lists the competitor reports, newest first (needs an API key).\nUse this tool when you need to:\n- see which accounts were analyzed, and when\n- find the id of a report for get_competitor_report\nSummaries only. People create reports in the dashboard or extension. Costs nothing.`,
      input: z.strictObject({
        ...listing,
        cursor: Cursor.optional().meta({ description: "nextCursor of the previous page." }),
      }),
      openWorld: false,
    },
  ],
  input: z.object(listing),
  output: z
    .object({ reports: z.array(CompetitorReportSummary), nextCursor: NextCursor })
    .meta({ id: "CompetitorReportList" }),
  exampleOutput: { reports: [exampleReport] },
});

const ofOne = { ...onOne("rep"), section: "Reports" } as const;

const FromLibrary = z.literal("library").optional();

export const getCompetitorReport = operation({
  summary: "Get a competitor report",
  description:
    "Returns one report in full: averages, the most viewed reels, posting times and takeaways. With `from` it is drawn from your scripts, and not stored.",
  ...ofOne,
  access: "key",
  http: { method: "GET", path: "/competitor-reports/{id}" },
  tools: [
    {
      name: "get_competitor_report",
      title: "Get a competitor report",
      description:
        "Reads one competitor report: averages, most viewed reels, posting times, takeaways (needs an API key).\nUse this tool when you need to:\n- learn what works for an analyzed account\n- compare accounts, or plan reels from the numbers\nGive either id or handle, not both. [notFound] if there is none: a person must create it, or `from: library` draws it from your scripts. Costs nothing.",
      input: z
        .strictObject({
          id: Id.optional().meta({ description: "A report id from list_my_competitor_reports." }),
          handle: Handle.optional().meta({
            description: "Account handle, with or without @; gives its newest report.",
          }),
          from: FromLibrary.meta({ description: "Draws the handle's report from my scripts instead." }),
        })
        .refine(({ id, handle }) => (id === undefined) !== (handle === undefined), {
          error: "give either `id` or `handle`, and not both",
        })
        .refine(({ handle, from }) => from === undefined || handle !== undefined, {
          error: "give `handle` with `from`",
        }),
      openWorld: false,
    },
  ],
  input: z
    .object({
      id: Id.meta({
        description: "A report id from the list, or `@handle` for the newest report of that account.",
      }),
      from: FromLibrary.meta({ description: "Draws the report of `@handle` from its scripts in your library." }),
      timezone: AudienceTimezone.optional().meta({
        description: "The audience's IANA time zone, with `from`; by default that of the newest report, or UTC.",
      }),
    })
    .refine(({ id, from }) => from === undefined || id.startsWith("@"), {
      error: "must be `@handle` with `from`",
      path: ["id"],
    })
    .refine(({ from, timezone }) => timezone === undefined || from !== undefined, {
      error: "is for reports `from` the library",
      path: ["timezone"],
    }),
  output: CompetitorReport,
  exampleOutput: {
    ...exampleReport,
    timezone: "Europe/Lisbon",
    metrics: {
      avgViews: 84_210.5,
      avgLikes: 5_020.2,
      avgComments: 190.4,
      medianViews: 40_100,
      avgEngagementRate: 6.1,
      postingFrequencyPerWeek: 3.5,
    },
    topReels: [
      {
        url: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
        caption: "Three French press mistakes",
        views: 128_490,
        likes: 7_911,
        comments: 310,
        engagementRate: 6.4,
      },
    ],
    bestPostingTimes: [],
    postingBlocks: [{ hours: { from: 18, to: 0 }, reels: 41, settledReels: 40, avgViews: 90_100 }],
    advice: [
      {
        action: "keepUnder",
        text: "Keep it under 41 s.",
        sureness: "sure",
        claim: "Reels of up to 41 s get 1.6 times the views.",
        figures: "Typically 52K views for these 24, 31K for the other 24.",
      },
    ],
    insights: [
      "Reels of up to 41 s get 1.6 times the views. Typically 52K views for these 24, 31K for the other 24. Sure: between 1.2 and 2.3 times. Chance alone does this in fewer than 1 of 100 reports.",
    ],
  },
});

export const importReport = operation({
  summary: "Create a competitor report",
  description: "Creates a report from the reels collected in the browser. They count as posts analyzed.",
  section: "Reports",
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
  description: "Deletes the report permanently. Its analyzed posts still count.",
  ...ofOne,
  access: "session",
  http: { method: "DELETE", path: "/competitor-reports/{id}" },
});

export const listReportFigures = operation({
  summary: "List the competitor reports with their key figures",
  description:
    "The reports of the account with their averages, newest first, of one handle or of all; `nextCursor` leads to older ones.",
  section: "Reports",
  access: "session",
  http: { method: "GET", path: "/report-figures" },
  input: z.object({
    handle: Handle.optional().meta({
      description: "Account handle, with or without @; returns only this account's reports.",
    }),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(listedReports).default(50),
  }),
  output: z.object({
    reports: z.array(
      CompetitorReportSummary.extend({
        metrics: StoredReportMetrics,
        platform: z.enum(platformNames).optional().meta({ description: "Platform of the reels, if it is known." }),
      }),
    ),
    nextCursor: NextCursor,
  }),
});

export const listReportHooks = operation({
  summary: "List the hooks of a competitor report",
  description: "The first spoken sentence of each top reel whose script is in the library.",
  ...ofOne,
  access: "session",
  http: { method: "GET", path: "/competitor-reports/{id}/hooks" },
  output: z.object({
    hooks: z
      .array(
        z.object({
          url: z.string().meta({ description: "The reel, as the report names it." }),
          scriptId: z.string(),
          language: z.string(),
          text: z.string(),
        }),
      )
      .meta({ description: "Hooks in the order of the top reels." }),
    inLibrary: z
      .int()
      .min(0)
      .meta({ description: "Top reels whose script is in the library, including those without speech." }),
  }),
});
