import type { CompetitorReport } from "@reelscript/contract";
import { conclusionOf, noClearDifference } from "@reelscript/contract";
import type { OtherFigures, Report, ReportLink } from "../../ports.ts";
import { benchmarksOf, marginsOf } from "../../statistics/between-reports.ts";
import { reelsToStartFrom } from "../../statistics/outliers.ts";
import { bestPostingTimesOf, postingBlocksOf } from "../../statistics/posting-times.ts";
import { frequencyOf } from "../../statistics/report-figures.ts";
import { shownComparison } from "../../statistics/shown-size.ts";
import { fewestReels } from "../../statistics/thresholds.ts";
import { adviceOf } from "./advice.ts";
import {
  benchmarkSentence,
  detailSentences,
  nextReelSentence,
  notComparedSentence,
  noteSentences,
  outlierSentence,
  reportSentences,
  steadySentence,
} from "./report-sentences.ts";

/** A report as its owner sees it, with benchmarks from the newest reports of other accounts. */
export function describeReport(report: Report, others: readonly OtherFigures[] = []): DescribedReport {
  const { findings } = report;
  const { metrics, intervals = {}, postingHours = [] } = findings;
  const comparisons = findings.comparisons
    ?.map(shownComparison)
    .map((one) => ({ ...one, conclusion: conclusionOf(one) }));
  const postingBlocks = postingBlocksOf(postingHours, comparisons ?? []);
  const notCompared = findings.notCompared ?? oldReason(report);
  const advice = adviceOf(comparisons ?? [], report.handle);
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
  const notes = noteSentences(described);
  return {
    ...described,
    notes: findings.insights ?? notes,
    details: detailSentences(described),
    insights: findings.insights ?? reportSentences(described, notes),
  };
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
