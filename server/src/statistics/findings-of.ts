import type { ReportFindings } from "@reelscript/contract";
import { chartsOf } from "./charts.ts";
import { comparisonsOf, steadyFiguresOf } from "./comparisons-of.ts";
import { engagementOf } from "./engagement.ts";
import type { MergedReels } from "./merge-reels.ts";
import { nextReelOf } from "./next-reel.ts";
import { multiplesOf, outliersOf, topicsOfOutliers } from "./outliers.ts";
import { kindsOfReels } from "./kinds-of-reels.ts";
import { followerFiguresOf, intervalsOf, metricsOf, showReel, topReelsOf } from "./report-figures.ts";
import { growingOf, sampleOf } from "./sample.ts";
import { fewestReels, listedOutliers } from "./thresholds.ts";
import { traitsOf } from "./traits.ts";

/** The account whose reels a report is about, and the moment of their collection. */
interface ReportSource {
  /** The account's handle, without @. */
  readonly handle: string;
  /** IANA name. */
  readonly timezone: string;
  readonly collectedAt: Date;
  /** The account's followers when the reels were collected. */
  readonly followers?: number | undefined;
}

/** Makes the findings of a report from reels that were merged. Pure: the order of the reels changes nothing. */
export function findingsOf({ reels, unknownValues, aboveViews }: MergedReels, source: ReportSource): ReportFindings {
  const { collectedAt, timezone } = source;
  const engagement = engagementOf(reels);
  const sample = sampleOf(reels, collectedAt);
  const isCompared = "counted" in sample;
  const multiples = isCompared ? multiplesOf(sample) : new Map<never, number>();
  const topReelOf = showReel(engagement, multiples, collectedAt);
  const outliers = outliersOf(multiples);
  const traits = traitsOf(reels, timezone);
  const comparisons = isCompared ? comparisonsOf(sample, engagement, { ...source, traits }) : [];
  const counted = isCompared ? sample.counted.length : 0;
  return {
    metrics: metricsOf(reels, engagement),
    topReels: topReelsOf(reels, topReelOf),
    ...chartsOf(reels, collectedAt, timezone),
    intervals: intervalsOf(reels, engagement),
    ...(comparisons.length > 0 && { comparisons }),
    ...(isCompared
      ? {
          ...(comparisons.length === 0 && {
            notCompared: { reason: "allAlike" as const, reels: counted, needed: fewestReels },
          }),
          steady: steadyFiguresOf(sample, timezone),
          nextReel: nextReelOf(sample),
        }
      : { notCompared: sample }),
    ...(outliers.length > 0 && {
      outliers: outliers.slice(0, listedOutliers).map(topReelOf),
      outlierCount: outliers.length,
      outlierTopics: outliers.length > 1 ? topicsOfOutliers(outliers, reels, source.handle) : [],
    }),
    growing: growingOf(reels, collectedAt),
    engagementFrom: engagement.from,
    ...kindsOfReels(reels, { traits, multiples, engagement, handle: source.handle }),
    ...(source.followers !== undefined && { followers: followerFiguresOf(reels, source.followers) }),
    ...(Object.keys(unknownValues).length > 0 && { unknownValues }),
    ...(Object.keys(aboveViews).length > 0 && { aboveViews }),
  };
}
