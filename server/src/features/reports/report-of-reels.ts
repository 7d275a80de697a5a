import type { ReelCollection } from "@reelscript/contract";
import type { Report } from "../../ports.ts";
import { chartsOf } from "./charts.ts";
import { comparisonsOf } from "./comparisons-of.ts";
import type { mergeReels } from "./merge-reels.ts";
import { bestPostingTimesOf, intervalsOf, metricsOf, topReelsOf } from "./report-figures.ts";

/** The report of a collection whose reels were merged. Pure: the order of the reels changes nothing. */
export function reportOfReels(
  { handle, timezone }: ReelCollection,
  reels: ReturnType<typeof mergeReels>,
  collectedAt: Date,
): Omit<Report, "id"> {
  const comparisons = comparisonsOf(reels, collectedAt, timezone);
  const charts = chartsOf(reels, collectedAt, timezone);
  const metrics = metricsOf(reels);
  const bestPostingTimes = bestPostingTimesOf(charts.postingHours ?? [], comparisons, metrics.medianViews);
  return {
    handle: handle.replace(/^@/, "").toLowerCase(),
    createdAt: collectedAt,
    reelsAnalyzed: reels.length,
    timezone,
    findings: {
      metrics,
      topReels: topReelsOf(reels),
      ...(bestPostingTimes.length > 0 && { bestPostingTimes }),
      ...charts,
      intervals: intervalsOf(reels),
      ...(comparisons.length > 0 && { comparisons }),
    },
  };
}
