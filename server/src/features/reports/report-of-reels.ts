import type { ReelCollection } from "@reelscript/contract";
import type { Report } from "../../ports.ts";
import { chartsOf } from "./charts.ts";
import { insightsOf } from "./insights.ts";
import type { mergeReels } from "./merge-reels.ts";
import { fewestReels, metricsOf, postingHoursOf, topReelsOf } from "./report-figures.ts";

/** The report of a collection whose reels were merged. Pure: the order of the reels changes nothing. */
export function reportOfReels(
  { handle, timezone }: ReelCollection,
  reels: ReturnType<typeof mergeReels>,
  collectedAt: Date,
): Omit<Report, "id"> {
  const hours = postingHoursOf(reels, collectedAt, timezone);
  const { insights, checked } = insightsOf(reels, { collectedAt, timezone, hours });
  const enough = reels.length >= fewestReels && hours.length > 0;
  return {
    handle: handle.replace(/^@/, "").toLowerCase(),
    createdAt: collectedAt,
    reelsAnalyzed: reels.length,
    timezone,
    findings: {
      metrics: metricsOf(reels),
      topReels: topReelsOf(reels),
      ...(enough && {
        bestPostingTimes: hours.map(({ dayOfWeek, hour, avgViews }) => ({ dayOfWeek, hour, avgViews })),
      }),
      ...chartsOf(reels, collectedAt, timezone),
      insights,
      ...(checked.length > 0 && { checked }),
    },
  };
}
