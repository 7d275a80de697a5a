import { setTimeout as pause } from "node:timers/promises";
import os from "node:os";
import path from "node:path";
import { highestMemory, type Memory, memoryOfTree } from "./processes/process-memory.ts";
import { type Needs, shown } from "./report.ts";
import { decodersHere, publish, startService, startStandin, transcribe } from "./processes/services.ts";
import { englishReelOf } from "./speech-clips.ts";
import { median } from "./statistics.ts";

const settleMilliseconds = 3_000;
/** A recognizer without work ends. */
const restMilliseconds = 55_000;
const sampleMilliseconds = 25;
/** How command lines name the processes: the service, the recognizer, either decoder. */
const parts = ["service-process", "recognizer-child", "ffmpeg"];

/** Memory of all processes of the service, the stand-in left out. */
export async function benchMemory({ report, folder, quick, threads, started }: Needs): Promise<void> {
  const rounds = quick ? 2 : 5;
  report.section(
    "Memory",
    "Proportional set size of all processes of the service, without the stand-in; MB are 1,000,000 bytes.",
    `Peak: the most that was seen, looking every ${sampleMilliseconds} ms, in ${rounds} fresh reels of 60 s one after the other.`,
  );
  if (os.platform() !== "linux") return report.note("Not measured: only Linux tells the proportional set size.");
  const reel = await englishReelOf(60);
  const standin = await started(startStandin());
  for (const { name, ffmpegPath } of await decodersHere()) {
    const data = path.join(folder, ffmpegPath.replaceAll(path.sep, "-"));
    const service = await started(startService({ folder: data, standin, recognition: { ffmpegPath, threads } }));
    const after = async (milliseconds: number): Promise<Memory> => {
      await pause(milliseconds);
      return await memoryOfTree(service.processId, parts);
    };
    const idle = await after(settleMilliseconds);
    const runs: Memory[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const url = await publish(standin, reel);
      const watched = { every: sampleMilliseconds, parts };
      runs.push(await highestMemory(service.processId, watched, () => transcribe(service, url)));
    }
    const soon = await after(settleMilliseconds);
    const late = await after(restMilliseconds);
    await service.stop();
    const peak = runs.reduce((most, run) => (run.megabytes > most.megabytes ? run : most));
    const typical = median(runs.map(({ megabytes }) => megabytes)).toFixed(0);
    report.note(`\n  ${name}`);
    report.table(
      ["when", "all", "service", "recognizer", "decoder"],
      Object.entries({ "idle, model loaded": idle, peak, "after 3 s": soon, "after a minute": late }).map(
        ([when, { megabytes, parts: each }]) => [when, ...[megabytes, ...each].map((value) => shown(value, "MB"))],
      ),
    );
    const all = (what: string, { megabytes: value }: Memory, atMost: number) =>
      ({ what: `${name}: ${what}`, value, unit: "MB", atMost }) as const;
    report.figures([
      all(`idle, model loaded (${idle.processes} processes)`, idle, 500),
      all(`a 60 s reel, peak (median ${typical})`, peak, 900),
      all(`a minute after ${rounds} reels`, late, 550),
    ]);
  }
}
