import { CompetitorReport, ReelCollection } from "@reelscript/contract";
import { describeReport } from "../../src/describe/report/describe-report.ts";
import { mergeReels } from "../../src/statistics/merge-reels.ts";
import { reportOfReels } from "../../src/features/reports/ingest-collection.ts";
import { sixteenReels } from "./golden.ts";

/** The report of a collection. */
export const report = (collected: ReelCollection) => {
  const collection = ReelCollection.parse(collected);
  const collectedAt = new Date(collection.collectedAt);
  const { timezone = "UTC", reels } = collection;
  return reportOfReels({ ...collection, timezone }, mergeReels(reels, collectedAt), collectedAt);
};

/** The report of a collection as its owner reads it. */
export const described = (collected: ReelCollection): CompetitorReport =>
  CompetitorReport.parse(JSON.parse(JSON.stringify(describeReport({ id: "rep_1", ...report(collected) }))));

export type Collected = ReelCollection["reels"][number];
export const withReels = (reels: Collected[], changes: Partial<ReelCollection> = {}): ReelCollection => ({
  ...sixteenReels,
  ...changes,
  reels,
});
/** The report of sixteen reels, each changed. */
export const alter = (change: (reel: Collected, index: number) => Partial<Collected>) =>
  report(withReels(sixteenReels.reels.map((reel, index) => ({ ...reel, ...change(reel, index) }))));
