/** The bench: ratios between things measured side by side in one run. Figures never fail it; only a broken bench does. */
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { stdout } from "node:process";
import { parseArgs } from "node:util";
import { createReport } from "./report.mjs";

const benches = {
  request: async () => (await import("./whole-request.mjs")).benchWholeRequest,
  throughput: async () => (await import("./requests.mjs")).benchRequests,
  mcp: async () => (await import("./mcp-fast-path.mjs")).benchMcpFastPath,
  memory: async () => (await import("./memory.mjs")).benchMemory,
  accuracy: async () => (await import("./accuracy.mjs")).benchAccuracy,
  gates: async () => (await import("./gates.mjs")).benchGates,
  start: async () => (await import("./start-up.mjs")).benchStartUp,
};

const usage = `npm run bench [-- --quick] [-- --only NAME] [-- --threads N]

  --quick      fewer runs
  --only NAME  one of ${Object.keys(benches).join(", ")}; may be given more than once
  --threads N  of the recogniser and of what it is compared with; default 2, or all cores when there are fewer
`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: Object.keys(benches) },
    threads: { type: "string", default: String(Math.min(2, os.availableParallelism())) },
    help: { type: "boolean", default: false },
  },
});
const unknown = values.only.filter((name) => !(name in benches));
const threads = Number(values.threads);
if (values.help || unknown.length > 0 || !Number.isInteger(threads) || threads < 1) {
  stdout.write(usage);
  process.exit(values.help ? 0 : 1);
}

const load = () =>
  os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(" ");
stdout.write(
  `Reelscript bench  ${new Date().toISOString().slice(0, 16)}Z  Node ${process.version}  ${os.platform()} ${os.arch()}\n` +
    `${os.cpus().length} cores (${os.cpus()[0]?.model.trim() ?? "unknown"})  load average ${load()}\n`,
);
const report = createReport();
let folder = "";
process.on("SIGINT", () => {
  // The processes end with this one.
  if (folder !== "") rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(130);
});
for (const name of Object.keys(benches).filter((one) => values.only.includes(one))) {
  folder = await mkdtemp(path.join(os.tmpdir(), "reelscript-bench-"));
  try {
    const bench = await benches[name]();
    await bench({ report, folder, quick: values.quick, threads });
    report.note(`load average after it: ${load()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
report.summary();
