/** The bench: ratios of measurements from one run. Figures never fail it; only a broken bench does. */
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { argv, stdout } from "node:process";
import { parseArgs } from "node:util";
import { createReport, type Needs } from "./report.ts";
import { started, stopStarted } from "./processes/start-service.ts";

const benches: Readonly<Record<string, () => Promise<(needs: Needs) => Promise<void>>>> = {
  transcriptions: async () => (await import("./transcriptions.ts")).benchTranscriptions,
  requests: async () => (await import("./requests.ts")).benchRequests,
  accuracy: async () => (await import("./accuracy.ts")).benchAccuracy,
  translation: async () => (await import("./translation/judge-translations.ts")).benchTranslation,
  gates: async () => (await import("./gates.ts")).benchGates,
  scale: async () => (await import("./scale.ts")).benchScale,
  library: async () => (await import("./library.ts")).benchLibrary,
  batches: async () => (await import("./batches.ts")).benchBatches,
  neighbors: async () => (await import("./neighbors.ts")).benchNeighbors,
  reports: async () => (await import("./reports/judge-reports.ts")).benchReports,
  start: async () => (await import("./start-up.ts")).benchStartUp,
};

const usage = `npm run bench [-- --quick] [-- --only NAME] [-- --threads N] [-- --write]

  --quick      fewer runs
  --smallest   one run of as little as shows that the bench works; its figures say nothing about the service
  --only NAME  one of ${Object.keys(benches).join(", ")}; may be given more than once
  --transcripts N  of the scale bench, at least 2000; default 100000
  --largest N  scripts in its largest library; default 8.4 percent of the transcripts
  --attack TEXT  of the neighbors bench, only attacks whose name has this text
  --collections FOLDER  of the reports bench: JSON files for \`report import\`; default drawn accounts
  --threads N  of the recognizer; default 2, or all cores when there are fewer
  --write      with accuracy and SPEECH_DIR: keep the figures as the table of language quality, also in the README
`;

const { values } = parseArgs({
  // npm takes the first -- away; later ones, as in the usage above, separate nothing.
  args: argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    quick: { type: "boolean", default: false },
    smallest: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: Object.keys(benches) },
    threads: { type: "string", default: String(Math.min(2, os.availableParallelism())) },
    write: { type: "boolean", default: false },
    transcripts: { type: "string" },
    largest: { type: "string" },
    collections: { type: "string" },
    attack: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
const unknown = values.only.filter((name) => !(name in benches));
const threads = Number(values.threads);
const extent = values.smallest ? "smallest" : values.quick ? "quick" : "whole";
const leastTranscripts = 2_000;
const transcripts = Number(values.transcripts ?? (values.smallest ? leastTranscripts : 100_000));
const largest = values.largest === undefined ? Math.round(transcripts * 0.084) : Number(values.largest);
if (
  values.help ||
  unknown.length > 0 ||
  !Number.isInteger(threads) ||
  threads < 1 ||
  !Number.isInteger(transcripts) ||
  transcripts < leastTranscripts ||
  !Number.isInteger(largest) ||
  largest < 1 ||
  largest > transcripts ||
  (values.smallest && values.write)
) {
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
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    void stopStarted().finally(() => {
      if (folder !== "") rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      process.exit(130);
    });
  });
for (const [name, open] of Object.entries(benches)) {
  if (!values.only.includes(name)) continue;
  folder = await mkdtemp(path.join(os.tmpdir(), "reelscript-bench-"));
  try {
    const bench = await open();
    const { write, attack, collections } = values;
    await bench({
      report,
      folder,
      extent,
      threads,
      write,
      attack,
      transcripts,
      largest,
      collections,
      started,
    }).finally(stopStarted);
    report.note(`load average after it: ${load()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
report.summary();
