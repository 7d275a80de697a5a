import { ServiceError, type ReelCollection } from "@reelscript/contract";
import type { Account, Clock, MadeReport, NewReport, Report, ReportToMake, Reports } from "../../ports.ts";
import { postAllowanceOf } from "../../rules/allowance.ts";
import { findingsOf } from "../../statistics/findings-of.ts";
import { mergeReels, type MergedReels } from "../../statistics/merge-reels.ts";

/** Browsers' clocks may be ahead by this much; a later date is a mistake. */
const toleratedAhead = 24 * 3_600_000;

interface IngestNeeds {
  readonly reports: Reports;
  readonly clock: Clock;
}

/** Makes a report for its owner. */
type MakeReport<Collection> = (given: ReportToMake<Collection>, owner: string) => Promise<MadeReport>;

/**
 * Makes a report of the reels that were collected for an account, stores it, and counts its reels. For channels on which
 * the person is signed in; the public interface only reads reports. With an id that has
 * a report already, nothing is done but to return that. Throws `ServiceError`: `limitReached`, and nothing is
 * stored or counted, or `invalidRequest` when the collection is of the future or no time zone is known.
 */
export const ingestCollection = (needs: IngestNeeds) =>
  ingestWith<ReelCollection>(needs, async (given) => reportOfCollection(given));

/** The same for a collection whose reels only `makeReport` looks at. */
export const ingestWith =
  <Collection extends Omit<ReelCollection, "reels">>(
    { reports, clock }: IngestNeeds,
    makeReport: MakeReport<Collection>,
  ) =>
  async (account: Account, collection: Collection, id?: string): Promise<Report> => {
    const earlierReport = id === undefined ? undefined : await reports.find(account.id, id);
    if (earlierReport) return earlierReport;
    const now = clock.now();
    const statedTime = new Date(collection.collectedAt);
    if (statedTime.getTime() - now.getTime() > toleratedAhead)
      throw new ServiceError("invalidRequest", "`collectedAt`: must not be in the future.");
    const collectedAt = statedTime < now ? statedTime : now;
    const timezone = collection.timezone ?? (await reports.findNewest(account.id, collection.handle))?.timezone;
    if (timezone === undefined)
      throw new ServiceError(
        "invalidRequest",
        "`timezone`: name the time zone of the audience, such as Europe/Berlin. It is kept for the next reports of this handle.",
      );
    const allowance = postAllowanceOf(account, now);
    // Checked before the slow analysis. Of concurrent requests, the losers are found when the report is stored.
    const used = allowance.limit === null ? 0 : await reports.postsUsed(account.id, allowance.period);
    const mostReels = allowance.limit === null ? null : allowance.limit - used;
    const { reels, report } = await makeReport({ collection, timezone, collectedAt, mostReels }, account.id);
    const refuse = (alreadyUsed: number): never => {
      throw new ServiceError(
        "limitReached",
        `The report analyzes ${reels} reels, and ${alreadyUsed} of the plan's ${allowance.limit} are used. Remove some reels or upgrade your plan.`,
        { reason: "postsUsed" },
      );
    };
    if (report === undefined) return refuse(used);
    const stored = await reports.add(allowance, report, id);
    return stored === "limitReached" ? refuse(await reports.postsUsed(account.id, allowance.period)) : stored;
  };

/** Pure; a report covers no more reels than it may have. */
export function reportOfCollection({ collection, timezone, collectedAt, mostReels, spoken }: ReportToMake): MadeReport {
  const merged = mergeReels(collection.reels, collectedAt, spoken);
  const { length } = merged.reels;
  const isTooLarge = mostReels !== null && length > mostReels;
  return {
    reels: length,
    report: isTooLarge ? undefined : reportOfReels({ ...collection, timezone }, merged, collectedAt),
  };
}

interface CollectedFrom {
  readonly handle: string;
  /** IANA name. */
  readonly timezone: string;
  readonly followers?: number | null | undefined;
}

/** The report of a collection whose reels were merged. Pure: the order of the reels changes nothing. */
export const reportOfReels = (
  { handle, timezone, followers }: CollectedFrom,
  merged: MergedReels,
  collectedAt: Date,
): NewReport => {
  const name = handle.replace(/^@/, "").toLowerCase();
  return {
    handle: name,
    createdAt: collectedAt,
    reelsAnalyzed: merged.reels.length,
    timezone,
    findings: findingsOf(merged, { handle: name, timezone, collectedAt, followers: followers ?? undefined }),
  };
};
