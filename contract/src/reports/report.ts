import * as z from "zod";
import { comparisonKinds } from "../values/comparison-words.ts";
import { dayNames } from "../values/day-names.ts";

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
    avgViews: average("Their average views."),
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
      "`times` the views of the others (or the oldest half), its 95% interval, and how often chance alone shows as much. `proof`: a typical reel of each side.",
  });
export type Comparison = z.infer<typeof Comparison>;

/** Findings computed from the collected reels. */
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
