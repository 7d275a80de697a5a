import { readFile } from "node:fs/promises";
import { ReelCollection } from "@reelscript/contract";
import { expect, test } from "vitest";
import { describeReport } from "../../src/describe/report/describe-report.ts";
import { mergeReels } from "../../src/statistics/merge-reels.ts";
import { reportOfReels } from "../../src/features/reports/ingest-collection.ts";

const sample = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../../web/src/pages/${name}.json`, import.meta.url), "utf8"));

test("the dashboard's sample report matches the service (renew: `npm run surface`)", async () => {
  const collection = ReelCollection.parse(await sample("reports/import/example-collection"));
  const collectedAt = new Date(collection.collectedAt);
  const report = reportOfReels(
    { handle: collection.handle, timezone: collection.timezone! },
    mergeReels(collection.reels, collectedAt),
    collectedAt,
  );
  expect(await sample("reports/sample-report")).toEqual(
    JSON.parse(JSON.stringify(describeReport({ id: "sample", ...report }))),
  );
});
