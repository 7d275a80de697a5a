import {
  clockHours,
  comparisonWords,
  noClearDifference,
  outcomeOf,
  quoted,
  type Benchmark,
  type Comparison,
  type CompetitorReport,
  type NotCompared,
  type ReportAdvice,
  type SteadyFigure,
  type StoredReportMetrics,
} from "@reelscript/contract";
import type { Report, ReportLink } from "../../ports.ts";
import { benchmarksOf, marginsOf } from "../../statistics/between-reports.ts";
import { reelsToStartFrom } from "../../statistics/outliers.ts";
import { bestPostingTimesOf, postingBlocksOf } from "../../statistics/posting-times.ts";
import { frequencyOf } from "../../statistics/report-figures.ts";
import { shownComparison } from "../../statistics/shown-size.ts";
import { fewestReels } from "../../statistics/thresholds.ts";

/** A report as its owner sees it, with benchmarks from the newest reports of other accounts. */
export function describeReport(report: Report, others: readonly StoredReportMetrics[] = []): DescribedReport {
  const { findings } = report;
  const { metrics, intervals = {}, postingHours = [] } = findings;
  const comparisons = findings.comparisons?.map(shownComparison);
  const postingBlocks = postingBlocksOf(postingHours, comparisons ?? []);
  const notCompared = findings.notCompared ?? oldReason(report);
  const advice = adviceOf(comparisons ?? []);
  const described = {
    id: report.id,
    handle: report.handle,
    createdAt: report.createdAt,
    reelsAnalyzed: report.reelsAnalyzed,
    timezone: report.timezone,
    ...findings,
    metrics: { ...metrics, postingFrequencyPerWeek: metrics.postingFrequencyPerWeek ?? oldFrequency(report) },
    comparisons,
    notCompared: notCompared && { ...notCompared, text: notComparedSentence(notCompared) },
    steady: findings.steady?.map((figure) => ({ ...figure, text: steadySentence(figure) })),
    bestPostingTimes: bestPostingTimesOf(postingBlocks),
    ...(postingBlocks.length > 0 && { postingBlocks }),
    margins: marginsOf(metrics, intervals),
    advice,
    ...(advice.length === 0 && { startFrom: reelsToStartFrom(findings.topReels, findings.outliers) }),
    nextReel: findings.nextReel && { ...findings.nextReel, text: nextReelSentence(findings.nextReel) },
    outliersText: outlierSentence(findings),
    ...(comparisons?.some(({ clear }) => !clear) && { noDifference: noClearDifference(comparisons) }),
    benchmarks: benchmarksOf(metrics, others).map((benchmark) => ({
      ...benchmark,
      text: benchmarkSentence(benchmark),
    })),
  };
  return { ...described, insights: findings.insights ?? reportSentences(described) };
}

/** A report before its dates are written as text. */
export type DescribedReport = Omit<CompetitorReport, "createdAt" | "reelsAnalyzed"> & {
  readonly createdAt: Date;
  readonly reelsAnalyzed: number;
};

/**
 * Earlier reports compared nothing if there were few reels; an empty list of comparisons meant that all were alike or hidden.
 */
const oldReason = ({ findings, reelsAnalyzed }: Report): CompetitorReport["notCompared"] =>
  findings.comparisons === undefined && reelsAnalyzed < fewestReels
    ? { reason: "tooFewReels", reels: reelsAnalyzed, needed: fewestReels }
    : undefined;

const oldFrequency = ({ findings: { firstPostedAt, lastPostedAt }, reelsAnalyzed }: Report): number =>
  firstPostedAt === undefined || lastPostedAt === undefined || reelsAnalyzed < 2
    ? 0
    : frequencyOf([Date.parse(firstPostedAt), Date.parse(lastPostedAt)]) * (reelsAnalyzed - 1);

export const describeReportLink = ({ id, token, title, createdAt, reportId, handle }: ReportLink, baseUrl: string) => ({
  id,
  url: `${baseUrl}/r/${token}`,
  reportId,
  handle,
  ...(title !== null && { title }),
  createdAt,
});

const mostLines = 3;

/**
 * Turns clear differences into at most three lines of advice: views and likes come first, and engagement only if it adds
 * something.
 */
function adviceOf(comparisons: readonly Comparison[]): ReportAdvice[] {
  const isSecond = (one: Comparison): number => Number(outcomeOf(one) === "engagement");
  const clear = comparisons
    .filter((one) => one.clear && one.sureness !== undefined)
    .toSorted((one, other) => isSecond(one) - isSecond(other));
  const lines: { readonly about: string; readonly line: ReportAdvice }[] = [];
  for (const one of clear) {
    const step = stepOf(one);
    const about = `${one.kind} ${one.topic ?? ""}`;
    if (step === undefined || lines.length === mostLines || lines.some((line) => line.about === about)) continue;
    const { claim, figures } = comparisonWords(one);
    const [example] = one.proof;
    const text = `${step.text}${isSecond(one) ? " for engagement" : ""}.`;
    lines.push({ about, line: { action: step.action, text, sureness: one.sureness!, claim, figures, example } });
  }
  return lines.map(({ line }) => line);
}

interface Step {
  readonly action: ReportAdvice["action"];
  /** Without the full stop. */
  readonly text: string;
}

function stepOf({ kind, times, hours, upTo, above, topic = "" }: Comparison): Step | undefined {
  const isMore = times > 1;
  switch (kind) {
    case "postingHours": {
      if (hours === undefined) return undefined;
      const clock = clockHours(hours);
      return isMore ? { action: "postAt", text: `Post at ${clock}` } : { action: "avoid", text: `Avoid ${clock}` };
    }
    case "length":
      return upTo === undefined
        ? { action: "goOver", text: `Make it longer than ${seconds(above ?? 0)}` }
        : { action: "keepUnder", text: `Keep it under ${seconds(upTo)}` };
    case "hashtags":
      if (upTo !== undefined)
        return upTo < 1
          ? { action: "avoid", text: "Avoid hashtags" }
          : { action: "keepUnder", text: `Use at most ${hashtags(Math.floor(upTo))}` };
      return above === undefined || above < 1
        ? { action: "doMore", text: "Use hashtags" }
        : { action: "goOver", text: `Use more than ${hashtags(Math.floor(above))}` };
    case "topic":
      return isMore
        ? { action: "doMore", text: `Do more with ${quoted(topic)}` }
        : { action: "avoid", text: `Avoid ${quoted(topic)}` };
    case "postingDays":
    case "captionLength":
    case "views":
    case "engagement":
      return undefined;
  }
}

const seconds = (value: number): string => `${Math.round(value)} s`;
const hashtags = (count: number): string => `${count} ${count === 1 ? "hashtag" : "hashtags"}`;

type Sentences = Pick<
  CompetitorReport,
  | "comparisons"
  | "notCompared"
  | "steady"
  | "nextReel"
  | "outliersText"
  | "growing"
  | "engagementFrom"
  | "unknownValues"
  | "noDifference"
  | "benchmarks"
>;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const round = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const list = new Intl.ListFormat("en-US");

const counted = (count: number, one: string, many: string): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;

/** The takeaways of a report as sentences: clear differences, unclear ones, and the basis of the figures. */
function reportSentences(report: Sentences): string[] {
  const { comparisons = [], notCompared, steady = [], nextReel, benchmarks = [] } = report;
  const clear = comparisons.filter((one) => one.clear).map(comparisonWords);
  return [
    ...clear.map(({ claim, figures, sureness }) => `${claim} ${figures} ${sureness}`),
    ...(notCompared ? [notComparedSentence(notCompared)] : []),
    ...(report.noDifference === undefined ? [] : [report.noDifference]),
    ...steady.map(steadySentence),
    ...(nextReel === undefined ? [] : [nextReelSentence(nextReel)]),
    ...(report.outliersText === undefined ? [] : [report.outliersText]),
    ...benchmarks.map(benchmarkSentence),
    ...basisSentences(report),
  ];
}

function notComparedSentence({ reason, reels, needed }: NotCompared): string {
  switch (reason) {
    case "tooFewReels":
      return `Only ${counted(reels, "reel was", "reels were")} analyzed: at least ${needed} are needed to compare them.`;
    case "countsHidden":
      return "Nothing could be compared: the views and likes of these reels are hidden.";
    case "stillGrowing":
      return "Nothing could be compared: these reels are so new that their views still grow. Collect them again in a few days.";
    case "allAlike":
      return "Nothing could be compared: these reels have equal counts.";
  }
}

export function steadySentence({ kind, outcome, low, high }: SteadyFigure): string {
  const range = `${fine.format(low)} to ${fine.format(high)} times`;
  return kind === "postingDays"
    ? `Day of the week: no difference (weekends get ${range} what other days get).`
    : `Posting often costs no ${outcome} per reel (soon after another reel they get ${range} what others get).`;
}

const nextReelSentence = ({ outcome, typical, low, high }: NonNullable<CompetitorReport["nextReel"]>): string =>
  `The next reel will get about ${round.format(typical)} ${outcome}; 8 of 10 get between ${round.format(low)} and ${round.format(high)}.`;

function outlierSentence({
  outliers = [],
  outlierTopics = [],
}: Pick<CompetitorReport, "outliers" | "outlierTopics">): string | undefined {
  const [first] = outliers;
  if (first === undefined) return undefined;
  if (outliers.length === 1)
    return `One reel got ${round.format(first.multiple ?? 0)} times what its neighbors got. One reel can't be copied: look at what several share.`;
  const shared =
    outlierTopics.length > 0
      ? `they share ${list.format(outlierTopics.slice(0, 3).map(quoted))}`
      : "their captions share nothing";
  return `${whole.format(outliers.length)} reels got more than 3 times what their neighbors got; ${shared}.`;
}

const benchmarkNames: Readonly<Record<Benchmark["metric"], (value: number) => string>> = {
  medianViews: (value) => `Median views ${whole.format(value)}`,
  avgEngagementRate: (value) => `Engagement ${fine.format(value)}%`,
  postingFrequencyPerWeek: (value) => `${fine.format(value)} reels a week`,
};

export function benchmarkSentence({ metric, value, above, of }: Omit<Benchmark, "text">): string {
  const place =
    of === 1
      ? `${above === 1 ? "above" : "not above"} your other account`
      : `above ${whole.format(above)} of your ${whole.format(of)} other accounts`;
  return `${benchmarkNames[metric](value)}: ${place}.`;
}

const valueNames = {
  caption: "captions",
  views: "views",
  likes: "likes",
  comments: "comments",
  postedAt: "dates",
  durationSeconds: "lengths",
} as const;

function basisSentences({ comparisons = [], growing, engagementFrom, unknownValues = {} }: Sentences): string[] {
  const unknown = Object.entries(unknownValues) as [keyof typeof valueNames, number][];
  const total = unknown.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...(comparisons.some(({ outcome }) => outcome === "likes")
      ? ["Too few views are known, so likes are compared."]
      : []),
    ...(engagementFrom === "likes" ? ["Comments are hidden: engagement is likes per view."] : []),
    ...(growing
      ? [
          `${counted(growing.reels, "reel is", "reels are")} younger than ${growing.days} days and still ${growing.reels === 1 ? "grows" : "grow"}${growing.leftOut > 0 ? `; ${whole.format(growing.leftOut)} of them ${growing.leftOut === 1 ? "isn't" : "aren't"} compared` : ""}.`,
        ]
      : []),
    ...(total > 0
      ? [
          `${counted(total, "value is", "values are")} out of range and ${total === 1 ? "counts" : "count"} as unknown: ${list.format(unknown.map(([name, count]) => `${valueNames[name]} of ${count}`))}.`,
        ]
      : []),
  ];
}
