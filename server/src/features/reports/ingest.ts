import { ServiceError, type ReelCollection } from "@reelscript/contract";
import type { Account, Clock, PostAllowance, Report, Reports } from "../../ports.ts";
import { chartsOf } from "./charts.ts";
import { insightsOf } from "./insights.ts";
import { mergeReels } from "./merge-reels.ts";
import { fewestReels, metricsOf, postingHoursOf, topReelsOf } from "./rules.ts";

export interface IngestNeeds {
  readonly reports: Reports;
  readonly clock: Clock;
  readonly postAllowanceOf: (account: Account) => PostAllowance;
}

/** Clocks of browsers may be ahead by so much; what is later is a mistake. */
const toleratedAhead = 24 * 3_600_000;

/**
 * Makes a report of the reels that were collected for an account, stores it, and counts its reels. For channels on which
 * the person is signed in; the public interface only reads reports. Throws `ServiceError`: `limitReached`, and nothing is
 * stored or counted, or `invalidRequest` when the collection is of the future.
 */
export const ingest =
  ({ reports, clock, postAllowanceOf }: IngestNeeds) =>
  async (account: Account, collection: ReelCollection): Promise<Report> => {
    const now = clock.now();
    const told = new Date(collection.collectedAt);
    if (told.getTime() - now.getTime() > toleratedAhead)
      throw new ServiceError("invalidRequest", "`collectedAt`: must not be in the future.");
    const report = reportOf(collection, told < now ? told : now);
    const allowance = postAllowanceOf(account);
    const stored = await reports.add(allowance, report);
    if (stored !== "limitReached") return stored;
    const used = await reports.postsUsed(account.id, allowance.period);
    throw new ServiceError(
      "limitReached",
      `The report analyzes ${report.reelsAnalyzed} reels, and ${used} of the plan's ${allowance.limit} are used. Fewer reels or a larger plan would do.`,
    );
  };

/** The report of a collection. Pure: the order of the reels and repeated ones change nothing. */
export function reportOf(collection: ReelCollection, collectedAt: Date): Omit<Report, "id"> {
  const { handle, timezone } = collection;
  const reels = mergeReels(collection.reels, collectedAt);
  const hours = postingHoursOf(reels, collectedAt, timezone);
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
      insights: insightsOf(reels, { collectedAt, timezone, hours }),
    },
  };
}
