import { reportSentences, type CompetitorReport } from "@reelscript/contract";
import type { Report } from "../ports.ts";

/** A report as its owner sees it. */
export const describeReport = ({ findings, createdAt, ...report }: Report): CompetitorReport => ({
  ...report,
  createdAt: createdAt.toISOString(),
  ...findings,
  insights: findings.insights ?? reportSentences(report.reelsAnalyzed, findings.comparisons ?? []),
});
