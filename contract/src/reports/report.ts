import * as z from "zod";
import { comparedOutcomes, comparisonKinds, openings } from "../values/text/comparison-words.ts";
import { dayNames } from "../values/times.ts";
import { ReportAdvice, Benchmark, NotCompared, SteadyFigure } from "./report-advice.ts";
import { TopReel } from "./top-reel.ts";

const summary = {
  id: z.string().meta({ description: "Report id, for the single-report endpoint." }),
  handle: z.string().meta({ description: "Analyzed account handle, without @." }),
  createdAt: z.iso.datetime().meta({ description: "Time at which the extension created the report." }),
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

const metrics = {
  avgViews: z.number().min(0).optional(),
  avgLikes: z.number().min(0).optional(),
  avgComments: z.number().min(0).optional(),
  medianViews: z.number().min(0).optional(),
  medianLikes: z.number().min(0).optional(),
  medianComments: z.number().min(0).optional(),
  avgEngagementRate: average("Average of the reels' own rates, in percent."),
};

/** Stored reports have these; earlier ones lack a frequency if the reels span less than 14 days. */
export const StoredReportMetrics = z.object({
  ...metrics,
  postingFrequencyPerWeek: z.number().min(0).optional(),
});
export type StoredReportMetrics = z.infer<typeof StoredReportMetrics>;

export const ReportMetrics = z
  .object({
    ...metrics,
    postingFrequencyPerWeek: z.number().min(0).meta({
      description:
        "Reels per week between the dates that leave out a twentieth of the reels at either end; 0 without dates.",
    }),
  })
  .meta({
    id: "ReportMetrics",
    description:
      "Figures of the reels whose value is known; absent when no reel has one. Medians describe a typical reel.",
  });
export type ReportMetrics = z.infer<typeof ReportMetrics>;

const hourOfWeek = {
  dayOfWeek: z.enum(dayNames).meta({ description: "English day name in the report's time zone." }),
  hour: z.int().min(0).max(23),
};

const PostingTime = z
  .object({
    ...hourOfWeek,
    avgViews: z.number().min(0).meta({ description: "Average views of all reels posted within the block." }),
  })
  .meta({ id: "PostingTime" });
export type PostingTime = z.infer<typeof PostingTime>;

const settledFields = {
  reels: z.int().min(0),
  settledReels: z.int().min(1).optional().meta({
    description: "Reels old enough to be compared, with known views.",
  }),
  avgViews: average("Average views of these reels."),
};

const PostingHour = z
  .object({ ...hourOfWeek, ...settledFields, medianViews: z.number().min(0).optional() })
  .meta({ id: "PostingHour" });
export type PostingHour = z.infer<typeof PostingHour>;

const Hours = z.object({ from: z.int(), to: z.int() });

const PostingBlock = z
  .object({
    hours: Hours,
    ...settledFields,
    best: z.boolean().optional().meta({ description: "True if the block clearly gets more views." }),
  })
  .meta({ id: "PostingBlock" });
export type PostingBlock = z.infer<typeof PostingBlock>;

const ReportWeek = z
  .object({
    start: z.iso.date().meta({ description: "The week's Monday in the report's time zone." }),
    reels: z.int().min(0).meta({ description: "Reels posted in the week; 0 in a pause." }),
    avgViews: average("Average views; those of the newest reels are still growing."),
    medianViews: z.number().min(0).optional(),
  })
  .meta({ id: "ReportWeek", description: "Figures of one week, from reels with known views." });
export type ReportWeek = z.infer<typeof ReportWeek>;

const postedAt = z.iso.datetime().optional();

const Interval = z.object({ low: z.number(), high: z.number() });

const subject = {
  kind: z.enum(comparisonKinds),
  hours: Hours.optional(),
  upTo: z.number().optional(),
  above: z.number().optional(),
  topic: z.string().optional().meta({
    description: "A word or hashtag of captions, or the first words that the titles of a series share.",
  }),
  opening: z.enum(openings).optional().meta({ description: "Beginning of the caption, or of the speech." }),
};

const Comparison = z
  .object({
    ...subject,
    outcome: z.enum(comparedOutcomes).optional().meta({ description: "Count in which the groups differ." }),
    days: z.array(z.string()).optional(),
    also: z
      .array(
        z.object({
          ...subject,
          lacks: z.boolean().optional().meta({ description: "True if the reels lack the trait." }),
        }),
      )
      .optional()
      .meta({ description: "Other differences of the same reels, which may be the cause as well." }),
    clear: z.boolean(),
    sureness: z.enum(["sure", "fairly sure"]).optional().meta({ description: "Certainty of a clear comparison." }),
    times: z.number(),
    ...Interval.shape,
    chance: z.number(),
    again: z.number().optional().meta({
      description: "Probability that the next reels differ in the same direction; absent in older reports.",
    }),
    reels: z.int(),
    typical: z.number(),
    otherReels: z.int(),
    otherTypical: z.number(),
    proof: z.array(TopReel),
    copy: z.array(TopReel).optional().meta({ description: "Up to two recent reels of the better side that did well." }),
    avoid: TopReel.optional().meta({ description: "A recent reel of the worse side that did worse." }),
    conclusion: z.string().optional().meta({ description: "Conclusion in one sentence." }),
  })
  .meta({
    id: "Comparison",
    description:
      "Difference between two groups of reels: `times` the outcome of the others (or the oldest half), its interval, and how often chance alone shows as much. `proof` is a typical reel of each side.",
  });
export type Comparison = z.infer<typeof Comparison>;

const NextReel = z
  .object({
    outcome: z.enum(comparedOutcomes),
    typical: z.number(),
    low: z.number(),
    high: z.number(),
    text: z.string().optional(),
  })
  .meta({
    id: "NextReel",
    description: "Forecast for the next reel: a median, and a range for 8 of 10 reels.",
  });

const KindOfReels = z
  .object({
    name: z.string().meta({ description: "Name of the kind, such as `#sourdough`, `Day (series)` or `15 to 30 s`." }),
    reels: z.int(),
    share: z.number().meta({ description: "Share of the reels whose kind is known, 0 to 1." }),
    typical: z.number().optional().meta({ description: "Median views; likes where views are hidden." }),
    multiple: z.number().optional().meta({
      description: "Median of the reels' multiples of their neighbors in time: 1 is usual for the account.",
    }),
    engagementRate: z.number().optional().meta({ description: "Median engagement in percent." }),
  })
  .meta({ id: "KindOfReels", description: "Figures of one kind of reels. Facts, not claims: chance isn't ruled out." });
export type KindOfReels = z.infer<typeof KindOfReels>;

const FollowerFigures = z
  .object({
    followers: z.int(),
    viewsPerFollower: z.number().optional().meta({ description: "Median views divided by followers." }),
    engagementRate: z.number().optional().meta({
      description: "Average of likes and comments as a percentage of the followers.",
    }),
  })
  .meta({ id: "FollowerFigures", description: "Engagement by followers, if the collection has their number." });

/** Findings computed from the collected reels, as they are stored. */
export const ReportFindings = z.object({
  metrics: StoredReportMetrics,
  topReels: z.array(TopReel).meta({
    description: "Up to 10 reels, highest views first; highest likes first where no views are known.",
  }),
  firstPostedAt: postedAt,
  lastPostedAt: postedAt,
  weeks: z.array(ReportWeek).optional().meta({
    description: "Reels a week from the first to the last; absent below 14 days.",
  }),
  postingHours: z.array(PostingHour).optional().meta({
    description: "Every hour of the week with reels, from Monday 0:00 on.",
  }),
  intervals: z
    .partialRecord(z.enum(estimatedMetrics), Interval)
    .optional()
    .meta({ description: "Intervals of 95% confidence." }),
  comparisons: z.array(Comparison).optional().meta({
    description: "Comparisons, clear ones first; absent if nothing could be compared.",
  }),
  notCompared: NotCompared.optional(),
  steady: z.array(SteadyFigure).optional(),
  outliers: z.array(TopReel).optional().meta({
    description: "Reels with more than 3 times the typical views of their neighbors in time, highest `multiple` first.",
  }),
  outlierCount: z.int().optional().meta({ description: "Number of outliers; `outliers` lists at most 10." }),
  outlierTopics: z
    .array(z.string())
    .optional()
    .meta({ description: "Words of most of the outliers' captions that are rarer in the others." }),
  nextReel: NextReel.optional(),
  formats: z.array(KindOfReels).optional().meta({ description: "Kinds by length, and with and without speech." }),
  pillars: z.array(KindOfReels).optional().meta({ description: "Recurring topics and series." }),
  followers: FollowerFigures.optional(),
  growing: z.object({ reels: z.int(), days: z.int(), leftOut: z.int() }).optional().meta({
    description: "Reels newer than `days`, which still grow, and how many weren't compared.",
  }),
  engagementFrom: z.enum(["likes"]).optional().meta({
    description: "Set where comments are hidden: engagement is likes per view.",
  }),
  unknownValues: z
    .partialRecord(z.enum(["caption", "views", "likes", "comments", "postedAt", "durationSeconds"]), z.int())
    .optional()
    .meta({ description: "Values out of range, which count as unknown." }),
  aboveViews: z
    .partialRecord(z.enum(["likes", "comments"]), z.int())
    .optional()
    .meta({ description: "Values above their reel's views, which count as unknown." }),
  insights: z
    .array(z.string())
    .optional()
    .meta({ description: "From older reports, whose differences weren't tested." }),
});
export type ReportFindings = z.infer<typeof ReportFindings>;

export const CompetitorReport = z
  .object({
    ...summary,
    timezone: z.string().meta({ description: "The IANA time zone of the posting times." }),
    missing: z.array(z.string()).optional().meta({
      description: "Facts that a report from the library lacks; also in `insights`.",
    }),
    ...ReportFindings.shape,
    metrics: ReportMetrics,
    bestPostingTimes: z.array(PostingTime).meta({
      description: "The hours of the block that clearly gets more views, from Monday on; empty where none does.",
    }),
    postingBlocks: z.array(PostingBlock).optional().meta({ description: "Totals of the blocks of the day." }),
    margins: ReportFindings.shape.intervals.meta({
      description: "Margins of the figures; two reports clearly differ in a figure whose margins don't overlap.",
    }),
    advice: z
      .array(ReportAdvice)
      .meta({ description: "Advice on what to post next, drawn from clear differences; at most 3 items." }),
    startFrom: z.array(TopReel).optional().meta({
      description:
        "Examples if there is no advice. Reels with a `multiple` stand out from their neighbors; others have the highest counts.",
    }),
    outliersText: z.string().optional().meta({ description: "A sentence about the words that the outliers share." }),
    noDifference: z.string().optional().meta({ description: "A sentence about traits without a clear difference." }),
    benchmarks: z
      .array(Benchmark)
      .optional()
      .meta({ description: "Comparison with your newest reports of other accounts." }),
    insights: z.array(z.string()).meta({
      description: "Takeaways in words: what to do next, why, the figures.",
    }),
    notes: z.array(z.string()).optional().meta({ description: "Notes on the figures; also in `insights`." }),
    details: z.array(z.string()).optional().meta({
      description: "Details for checking: how often chance does this, and traits without a difference.",
    }),
  })
  .meta({ id: "CompetitorReport" });
export type CompetitorReport = z.infer<typeof CompetitorReport>;
