import { setTimeout as pause } from "node:timers/promises";
import { access, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { startChild } from "./processes/child.ts";
import { memoryOfTree } from "./processes/process-memory.ts";
import type { ServiceMethods } from "./processes/service-process.ts";
import { atMost, type Needs } from "./report.ts";
import { seededPlatform, seedLibrary } from "./libraries/seed-library.ts";

const mostAboveIdle = 200;
const settleMilliseconds = 5_000;
const sampleMilliseconds = 50;

/** What a backup of an embedded database takes, and how long statements wait meanwhile. */
export async function benchBackup({ report, folder, transcripts }: Needs): Promise<void> {
  report.section(
    "Backup",
    `Embedded database with ${transcripts} transcripts; proportional set size of the service's process, every ${sampleMilliseconds} ms; one statement after the other meanwhile.`,
  );
  if (os.platform() !== "linux") return report.note("Not measured: only Linux tells the proportional set size.");
  const dataDirectory = process.env.DATA_DIR ?? path.join(folder, "data");
  const isFilled = await access(path.join(dataDirectory, "database")).then(
    () => true,
    () => false,
  );
  if (!isFilled) await seedLibrary({ dataDirectory, transcripts, owned: 1_000 });
  const service = await startChild<ServiceMethods>("./service-process.js", { dataDirectory, standin: seededPlatform });
  try {
    await service.call("listAccounts");
    await pause(settleMilliseconds);
    const megabytes = async () => (await memoryOfTree(service.processId)).megabytes;
    const idle = await megabytes();
    let isDone = false;
    const started = performance.now();
    const backup = service.call("backUp").finally(() => (isDone = true));
    let peak = idle;
    const watching = (async () => {
      while (!isDone) {
        peak = Math.max(peak, await megabytes());
        await pause(sampleMilliseconds);
      }
    })();
    let longest = 0;
    while (!isDone) {
      const from = performance.now();
      await service.call("listAccounts");
      longest = Math.max(longest, performance.now() - from);
    }
    const file = await backup;
    const seconds = (performance.now() - started) / 1_000;
    await watching;
    report.figures([
      { what: "idle", figure: `${idle.toFixed(0)} MB` },
      {
        what: "peak above idle",
        figure: `${(peak - idle).toFixed(0)} MB`,
        aim: atMost(peak - idle, mostAboveIdle, " MB"),
      },
      { what: "longest statement meanwhile", figure: `${longest.toFixed(0)} ms` },
      { what: "took", figure: `${seconds.toFixed(0)} s` },
      { what: "size of the backup", figure: `${((await stat(file)).size / 1e6).toFixed(0)} MB` },
    ]);
  } finally {
    await service.stop();
  }
}
