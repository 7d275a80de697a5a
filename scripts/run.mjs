// Builds everything, then runs a compiled program: `node scripts/run.mjs dist/bench/main.js --quick`.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { root } from "./hash-of-sources.mjs";

const [program = ""] = process.argv.splice(2, 1);
const failure = build({ programs: program.startsWith("dist/") });
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
process.argv[1] = path.join(root, program);
await import(pathToFileURL(process.argv[1]).href);
