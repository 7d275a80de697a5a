import { setTimeout as pause } from "node:timers/promises";
import os from "node:os";
import path from "node:path";
import { memoryOfTree } from "./processes/process-memory.ts";
import { processorTimeOfTree } from "./processes/process-times.ts";
import type { Needs } from "./report.ts";
import { decodersHere, publish, startService, startStandin, transcribe } from "./processes/services.ts";
import { englishReelOf } from "./speech-clips.ts";
import { median } from "./statistics.ts";

const lengths = [5, 15, 30, 60];
/** A decoder that warms up for the next file belongs to the reel before. */
const restMilliseconds = 1_500;

/** What a transcription costs in processor time, and what a core therefore does in an hour. */
export async function benchCapacity({ report, folder, quick, threads }: Needs): Promise<void> {
  const rounds = quick ? 2 : 5;
  report.section(
    "Capacity",
    `Fresh reels one after the other, embedded database, ${threads} threads; processor time of the service with its recognizer and decoder; medians of ${rounds} after one to warm up.`,
  );
  if (os.platform() !== "linux") {
    report.note("Not measured: only Linux tells the processor time of other processes.");
    return;
  }
  const standin = await startStandin();
  try {
    const { name, ffmpegPath } = (await decodersHere())[0]!;
    const data = path.join(folder, "worker");
    const service = await startService({ folder: data, standin, recognition: { ffmpegPath, threads } });
    try {
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
        rows.push([`${reel.seconds.toFixed(0)} s`, `${cost.toFixed(2)} s`, (3_600 / cost).toFixed(0)]);
      }
      report.note(`Decoder: ${name}`);
      report.table(["reel", "processor time", "an hour per core"], rows);
      const { megabytes } = await memoryOfTree(service.processId);
      report.figures([{ what: "memory of the worker, model loaded", figure: `${megabytes.toFixed(0)} MB` }]);
    } finally {
      await service.stop();
    }
  } finally {
    await standin.stop();
  }
}
