import { setTimeout as pause } from "node:timers/promises";
import { access, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { startChild } from "./processes/child.ts";
import { highestMemory, memoryOfTree } from "./processes/process-memory.ts";
import type { ServiceMethods } from "./processes/service-process.ts";
import type { Needs } from "./report.ts";
import { seededPlatform, seedLibrary } from "./libraries/seed-library.ts";

const settleMilliseconds = 5_000;
const sampleMilliseconds = 50;

/** What a backup of an embedded database takes, and how long statements wait meanwhile. */
export async function benchBackup({ report, folder, transcripts, started }: Needs): Promise<void> {
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
  const service = await started(
    startChild<ServiceMethods>("./service-process.js", { dataDirectory, standin: seededPlatform }),
  );
  await service.call("listAccounts");
  await pause(settleMilliseconds);
  const idle = (await memoryOfTree(service.processId)).megabytes;
  let longest = 0;
  const begun = performance.now();
  const backup = service.call("backUp");
  const peak = await highestMemory(service.processId, { every: sampleMilliseconds }, async () => {
    let isDone = false;
    void backup.finally(() => (isDone = true)).catch(() => undefined);
    while (!isDone) {
      const from = performance.now();
      await service.call("listAccounts");
      longest = Math.max(longest, performance.now() - from);
    }
  });
  const file = await backup;
  const seconds = (performance.now() - begun) / 1_000;
  report.figures([
    { what: "idle", value: idle, unit: "MB" },
    { what: "peak above idle", value: peak.megabytes - idle, unit: "MB", atMost: 200 },
    { what: "longest statement meanwhile", value: longest, unit: "ms" },
    { what: "took", value: seconds, unit: "s", digits: 0 },
    { what: "size of the backup", value: (await stat(file)).size / 1e6, unit: "MB" },
  ]);
}
