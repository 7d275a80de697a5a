import { setTimeout as pause } from "node:timers/promises";
import os from "node:os";
import path from "node:path";
import { memoryOfTree } from "./processes/process-memory.ts";
import { processorTimeOfTree } from "./processes/process-times.ts";
import { type Needs, shown } from "./report.ts";
import { decodersHere, publish, startService, startStandin, transcribe } from "./processes/services.ts";
import { englishReelOf } from "./speech-clips.ts";
import { median } from "./statistics.ts";

const lengths = [5, 15, 30, 60];
/** A decoder that warms up for the next file belongs to the reel before. */
const restMilliseconds = 1_500;

/** What a transcription costs in processor time, and what a core therefore does in an hour. */
export async function benchCapacity({ report, folder, quick, threads, started }: Needs): Promise<void> {
  const rounds = quick ? 2 : 5;
  report.section(
    "Capacity",
    `Fresh reels one after the other, embedded database, ${threads} threads; processor time of the service with its recognizer and decoder; medians of ${rounds} after one to warm up.`,
  );
  if (os.platform() !== "linux")
    return report.note("Not measured: only Linux tells the processor time of other processes.");
  const standin = await started(startStandin());
  const { name, ffmpegPath } = (await decodersHere())[0]!;
  const data = path.join(folder, "worker");
  const service = await started(startService({ folder: data, standin, recognition: { ffmpegPath, threads } }));
  const rows: string[][] = [];
  for (const seconds of lengths) {
    const reel = await englishReelOf(seconds);
    const costs: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const url = await publish(standin, reel);
      const before = await processorTimeOfTree(service.processId);
      await transcribe(service, url);
      await pause(restMilliseconds);
      if (round >= 0) costs.push(((await processorTimeOfTree(service.processId)) - before) / 1_000);
    }
    const cost = median(costs);
    rows.push([shown(reel.seconds, "s", 0), shown(cost, "s", 2), shown(3_600 / cost)]);
  }
  report.note(`Decoder: ${name}`);
  report.table(["reel", "processor time", "an hour per core"], rows);
  const { megabytes } = await memoryOfTree(service.processId);
  report.figures([{ what: "memory of the worker, model loaded", value: megabytes, unit: "MB" }]);
}
