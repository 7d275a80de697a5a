import { setTimeout as pause } from "node:timers/promises";
import os from "node:os";
import path from "node:path";
import { type Memory, memoryOfTree } from "./processes/process-memory.ts";
import { atMost, type Figure, type Needs } from "./report.ts";
import {
  decodersHere,
  publish,
  type Service,
  type Standin,
  startService,
  startStandin,
  transcribe,
} from "./processes/services.ts";
import { englishReelOf, type StoredReel } from "./speech-clips.ts";
import { median } from "./statistics.ts";

const mostIdle = 500;
const mostAtPeak = 900;
const mostAfterward = 550;
const settleMilliseconds = 3_000;
/** A recognizer without work ends. */
const restMilliseconds = 55_000;
const sampleMilliseconds = 25;
/** How command lines name the processes: the service, the recognizer, either decoder. */
const parts = ["service-process", "recognizer-child", "ffmpeg"];

/** Memory of all processes of the service, the stand-in left out. */
export async function benchMemory({ report, folder, quick, threads }: Needs): Promise<void> {
  const rounds = quick ? 2 : 5;
  report.section(
    "Memory",
    "Proportional set size of all processes of the service, without the stand-in; MB are 1,000,000 bytes.",
    `Peak: the most that was seen, looking every ${sampleMilliseconds} ms, in ${rounds} fresh reels of 60 s one after the other.`,
  );
  if (os.platform() !== "linux") {
    report.note("Not measured: only Linux tells the proportional set size.");
    return;
  }
  const reel = await englishReelOf(60);
  const standin = await startStandin();
  try {
    for (const { name, ffmpegPath } of await decodersHere()) {
      const data = path.join(folder, ffmpegPath.replaceAll(path.sep, "-"));
      const service = await startService({ folder: data, standin, recognition: { ffmpegPath, threads } });
      try {
        await pause(settleMilliseconds);
        const idle = await memoryOfTree(service.processId, parts);
        const runs: Memory[] = [];
        for (let round = 0; round < rounds; round += 1) runs.push(await peakOf(service, standin, reel));
        await pause(settleMilliseconds);
        const soon = await memoryOfTree(service.processId, parts);
        await pause(restMilliseconds);
        const after = await memoryOfTree(service.processId, parts);
        const peaks = runs.map(({ megabytes }) => megabytes);
        const peak = runs.reduce((most, run) => (run.megabytes > most.megabytes ? run : most));
        report.note(`\n  ${name}`);
        report.table(
          ["when", "all", "service", "recognizer", "decoder"],
          [
            ["idle, model loaded", ...megabytesOf(idle)],
            ["peak", ...megabytesOf(peak)],
            ["after 3 s", ...megabytesOf(soon)],
            ["after a minute", ...megabytesOf(after)],
          ],
        );
        report.figures([
          row(`${name}: idle, model loaded (${idle.processes} processes)`, idle.megabytes, mostIdle),
          row(`${name}: a 60 s reel, peak (median ${median(peaks).toFixed(0)})`, peak.megabytes, mostAtPeak),
          row(`${name}: a minute after ${rounds} reels`, after.megabytes, mostAfterward),
        ]);
      } finally {
        await service.stop();
      }
    }
  } finally {
    await standin.stop();
  }
}

async function peakOf(service: Service, standin: Standin, reel: StoredReel): Promise<Memory> {
  const url = await publish(standin, reel);
  let peak = await memoryOfTree(service.processId, parts);
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const now = await memoryOfTree(service.processId, parts);
      if (now.megabytes > peak.megabytes) peak = now;
      await pause(sampleMilliseconds);
    }
  })();
  try {
    await transcribe(service, url);
  } finally {
    isDone = true;
    await watching;
  }
  return peak;
}

const megabytesOf = ({ megabytes, parts: each }: Memory): string[] =>
  [megabytes, ...each].map((value) => `${value.toFixed(0)} MB`);

const row = (what: string, megabytes: number, limit: number): Figure => ({
  what,
  figure: `${megabytes.toFixed(0)} MB`,
  aim: atMost(megabytes, limit, " MB"),
});
