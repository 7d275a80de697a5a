// Writes the generated files of the repository, which make changes visible in review: openapi.json, tools.json, server.json,
// the fields of the n8n node, the dashboard's sample report, schema.sql with the tables and functions of the database, and the
// tokens and mark for code that can't import them.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { markFile, themedMarkFile, tokenSheet } from "@reelscript/contract/values";
import { openEngine } from "#server/adapters/database/open-engine.ts";
import { readSchema } from "#server/adapters/database/migrations/read-schema.ts";
import { describeReport } from "#server/describe/report/describe-report.ts";
import { mergeReels } from "#server/statistics/merge-reels.ts";
import { reportOfReels } from "#server/features/reports/ingest-collection.ts";
import { openApi } from "#server/http/documents/openapi.ts";
import { registryEntry } from "#server/mcp/build-server.ts";
import { listedTools } from "#server/mcp/tools.ts";
import { n8nFields } from "./n8n-fields.ts";
import { root } from "./root.ts";

const writeText = (name: string, text: string): Promise<void> => writeFile(path.join(root, name), text);
const write = (name: string, value: unknown): Promise<void> =>
  writeText(name, `${JSON.stringify(value, undefined, 2)}\n`);
const document = openApi("http://127.0.0.1:8787");
await write("openapi.json", document);
await writeText("integrations/n8n/nodes/Reelscript/api-fields.ts", n8nFields(document));
await write("tools.json", listedTools());
await write("server.json", registryEntry("https://reelscript.example"));

await writeText("web/src/styles/tokens.css", tokenSheet());
await writeText("web/public/mark.svg", markFile());
await writeText("integrations/n8n/icons/reelscript.svg", themedMarkFile(false));
await writeText("integrations/n8n/icons/reelscript.dark.svg", themedMarkFile(true));
const example = path.join(root, "web/src/pages/reports/import/example-collection.json");
const collection = JSON.parse(await readFile(example, "utf8")) as {
  readonly handle: string;
  readonly timezone: string;
  readonly collectedAt: string;
  readonly reels: Parameters<typeof mergeReels>[0];
};
const collectedAt = new Date(collection.collectedAt);
const report = reportOfReels(collection, mergeReels(collection.reels, collectedAt), collectedAt);
await write("web/src/pages/reports/sample-report.json", describeReport({ id: "sample", ...report }));

const dataDirectory = await mkdtemp(path.join(tmpdir(), "schema-"));
const engine = await openEngine({ dataDirectory }, { info: () => undefined, warn: () => undefined });
await writeText("schema.sql", await readSchema(engine.pool));
await engine.close();
await rm(dataDirectory, { recursive: true });
