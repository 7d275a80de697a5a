// Writes what the service shows to the outside, so that a change of it shows in review: openapi.json and tools.json.
import { writeFile } from "node:fs/promises";
import { build } from "./build.mjs";

const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
const { openApi } = await import("../server/dist/http/openapi.js");
const { listedTools } = await import("../server/dist/mcp/tools.js");
const write = (name, value) =>
  writeFile(new URL(`../${name}`, import.meta.url), `${JSON.stringify(value, undefined, 2)}\n`);
await write("openapi.json", openApi("http://127.0.0.1:8787"));
await write("tools.json", listedTools());
