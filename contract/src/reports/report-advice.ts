import * as z from "zod";
import { comparedOutcomes } from "../values/text/comparison-words.ts";
import { TopReel } from "./top-reel.ts";

export const ReportAdvice = z
  .object({
    action: z.enum(["doMore", "keepUnder", "goOver", "postAt", "avoid"]),
    text: z.string().meta({ description: "Advice in words, such as `Keep it under 41 s.`" }),
    sureness: z.enum(["sure", "fairly sure"]),
    claim: z.string().meta({ description: "The difference behind it." }),
    figures: z.string(),
    example: TopReel.optional().meta({ description: "A typical reel of that kind." }),
    gain: z.string().optional().meta({
      description: "Gain of the next reels, such as `About 1.4 times the views; at least 1.2.`",
    }),
    also: z.string().optional().meta({ description: "Other differences of the same reels." }),
    copy: z.array(TopReel).optional().meta({ description: "Up to two reels to copy: recent ones that did well." }),
    avoid: TopReel.optional().meta({ description: "A recent reel of the other kind that did worse." }),
  })
  .meta({ id: "ReportAdvice" });
export type ReportAdvice = z.infer<typeof ReportAdvice>;

export const benchmarkedMetrics = ["medianViews", "avgEngagementRate", "postingFrequencyPerWeek"] as const;

export const Benchmark = z
  .object({
    metric: z.enum(benchmarkedMetrics),
    value: z.number(),
    above: z.int().meta({ description: "Accounts whose newest report has a lower value." }),
    same: z.int().optional().meta({ description: "Accounts whose newest report has the same value; absent for none." }),
    of: z.int().meta({ description: "Accounts whose newest report has this value." }),
    other: z
      .object({ handle: z.string(), value: z.number() })
      .optional()
      .meta({ description: "The only other account, where there is one." }),
    text: z.string(),
  })
  .meta({ id: "Benchmark" });
export type Benchmark = z.infer<typeof Benchmark>;

export const NotCompared = z
  .object({
    reason: z.enum(["tooFewReels", "countsHidden", "stillGrowing", "allAlike"]),
    reels: z.int().meta({ description: "Reels that could be compared." }),
    needed: z.int(),
    text: z.string().optional(),
  })
  .meta({ id: "NotCompared", description: "Reason why nothing was compared." });
export type NotCompared = z.infer<typeof NotCompared>;

export const SteadyFigure = z
  .object({
    kind: z.enum(["postingDays", "postingOften"]),
    outcome: z.enum(comparedOutcomes),
    low: z.number(),
    high: z.number(),
    text: z.string().optional(),
  })
  .meta({
    id: "SteadyFigure",
    description: "Figure that makes no difference that matters: `low` to `high` times the others, with 95% confidence.",
  });
export type SteadyFigure = z.infer<typeof SteadyFigure>;
