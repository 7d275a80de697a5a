import { reportSentences } from "@reelscript/contract";
import type { Report } from "../ports.ts";

/** A report as its owner sees it. */
export const describeReport = ({ findings, ...report }: Report) => ({
  ...report,
  ...findings,
  insights: findings.insights ?? reportSentences(report.reelsAnalyzed, findings.comparisons ?? []),
});
