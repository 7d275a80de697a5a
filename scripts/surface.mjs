// Writes what is made by the service and kept in the repository, so that a change shows in review: openapi.json,
// tools.json and the dashboard's sample report.
import { readFile, writeFile } from "node:fs/promises";
import { build } from "./build.mjs";

const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
const { openApi } = await import("../server/dist/http/documents/openapi.js");
const { describeReport } = await import("../server/dist/describe/describe-report.js");
const { mergeReels } = await import("../server/dist/features/reports/merge-reels.js");
const { reportOfReels } = await import("../server/dist/features/reports/report-of-reels.js");
const { listedTools } = await import("../server/dist/mcp/tools.js");
const write = (name, value) =>
  writeFile(new URL(`../${name}`, import.meta.url), `${JSON.stringify(value, undefined, 2)}\n`);
await write("openapi.json", openApi("http://127.0.0.1:8787"));
await write("tools.json", listedTools());
const samples = "web/src/pages/samples";
const collection = JSON.parse(
  await readFile(new URL(`../${samples}/example-collection.json`, import.meta.url), "utf8"),
);
const collectedAt = new Date(collection.collectedAt);
const report = reportOfReels(collection, mergeReels(collection.reels, collectedAt), collectedAt);
await write(`${samples}/sample-report.json`, describeReport({ id: "sample", ...report }));
