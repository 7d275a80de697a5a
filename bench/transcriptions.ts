import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { textErrorsOf } from "@reelscript/whisper";
import { openBareRecognizer } from "./bare-recognizer.ts";
import { megabytesOf, processorTimeOf, treeOf } from "../scripts/processes/process-table.ts";
import { type Caller, createCaller, withStore } from "../scripts/processes/start-program.ts";
import { type Needs, formatFigure } from "./report.ts";
import {
  type Decoder,
  decodersHere,
  publish,
  type Service,
  type Standin,
  startService,
  startStandin,
  transcribe,
} from "./processes/start-service.ts";
import { decodedSamples, englishReelOf, type StoredReel } from "./speech.ts";
import { median, medianRatio } from "./statistics.ts";

/** Readings that the service follows, and the one that a greedy decoder takes. */
const usualBeam = 5;
const oneReading = 1;
/**
 * `lengths` of the reels in seconds; the shortest has no aim, because the fixed cost of a request weighs most there. Memory is
 * read after `settled` milliseconds, and after `idle` more, when a recognizer without work has ended.
 */
const sizes = {
  whole: {
    warmUps: 1,
    rounds: 7,
    lengths: [15, 30, 60],
    memoryRounds: 5,
    memoryLength: 60,
    settled: 3_000,
    idle: 55_000,
  },
  quick: {
    warmUps: 1,
    rounds: 2,
    lengths: [15, 30, 60],
    memoryRounds: 1,
    memoryLength: 60,
    settled: 3_000,
    idle: 55_000,
  },
  smallest: { warmUps: 0, rounds: 1, lengths: [10], memoryRounds: 1, memoryLength: 10, settled: 100, idle: 100 },
};
/** A fresh decoder warms up after each file, which nobody else should pay for. */
const restMilliseconds = 2_000;
const sampleMilliseconds = 25;
const isLinux = process.platform === "linux";
const measured = isLinux ? (["milliseconds", "processor"] as const) : (["milliseconds"] as const);

interface Run {
  readonly milliseconds: number;
  readonly processor: number;
  readonly text: string;
}
interface Way extends Decoder {
  readonly service: Service;
  readonly caller: Caller;
}

/** Fresh reels: their time and processor time compared with those of the bare recognizer on the same audio, and memory. */
export async function benchTranscriptions(needs: Needs): Promise<void> {
  const { report, folder, extent, threads, started } = needs;
  const { warmUps, rounds, lengths } = sizes[extent];
  report.section(
    "Transcriptions",
    `POST to transcript of a reel that nobody asked for before; ${threads} threads; ${rounds} rounds after one to warm up, all ways in turn.`,
    "Bare: the recognizer alone, model loaded, samples decoded and at hand. Ratios are medians of each round's ratio.",
    "Processor time covers the service with its recognizer and decoder (Linux only).",
  );
  const standin = await started(startStandin());
  const recognize = await openBareRecognizer(threads);
  const ways: Way[] = [];
  const decoders = await decodersHere();
  for (const decoder of extent === "smallest" ? decoders.slice(-1) : decoders) {
    const dataDirectory = path.join(folder, decoder.ffmpegPath.replaceAll(path.sep, "-"));
    const caller = await withStore({ dataDirectory }, createCaller);
    const recognition = { ffmpegPath: decoder.ffmpegPath, threads };
    const service = startService({ environment: { DATA_DIR: dataDirectory }, standin: standin.origins, recognition });
    ways.push({ ...decoder, caller, service: await started(service) });
  }
  for (const seconds of lengths) {
    const reel = await englishReelOf(seconds);
    const samples = await decodedSamples(reel.path);
    const names = [...ways.map(({ name }) => name), "bare recognizer", "bare recognizer, one reading"];
    const runs: Run[][] = names.map(() => []);
    for (let round = -warmUps; round < rounds; round += 1) {
      const all: Run[] = [];
      for (const way of ways) all.push(await wholeRequest(way, standin, reel));
      for (const beam of [usualBeam, oneReading]) all.push(await timed(process.pid, () => recognize(samples, beam)));
      if (round >= 0) for (const [index, run] of all.entries()) runs[index]!.push(run);
    }
    printLength(needs, reel, { names, runs, ways });
  }
  if (!isLinux) return report.note("Memory was not measured: only Linux tells the proportional set size.");
  for (const way of ways) await measureMemory(needs, way, standin);
}

async function timed(processId: number, work: () => Promise<string>, rest = 0): Promise<Run> {
  const processorTime = (): number => (isLinux ? processorTimeOf(processId) : Number.NaN);
  const before = processorTime();
  const from = performance.now();
  const text = await work();
  const milliseconds = performance.now() - from;
  await pause(rest);
  return { milliseconds, processor: processorTime() - before, text };
}

async function wholeRequest({ service, caller }: Way, standin: Standin, reel: StoredReel): Promise<Run> {
  const url = publish(standin, reel);
  const work = async (): Promise<string> => {
    const { cached, transcript } = await transcribe(service, caller, url);
    if (cached) throw new Error("a fresh reel came from the cache");
    return transcript;
  };
  return await timed(service.processId, work, restMilliseconds);
}

function printLength(
  { report }: Needs,
  reel: StoredReel,
  { names, runs, ways }: { readonly names: string[]; readonly runs: readonly Run[][]; readonly ways: readonly Way[] },
): void {
  const valuesOf = (index: number, name: "milliseconds" | "processor"): number[] =>
    runs[index]!.map((run) => run[name]);
  report.note(`\n  ${reel.name}: ${reel.seconds.toFixed(1)} s of English`);
  report.table(
    ["way", "median", "least", "processor time", "an hour per core", "word error"],
    names.map((name, index) => {
      const times = valuesOf(index, "milliseconds");
      const seconds = median(valuesOf(index, "processor")) / 1_000;
      const { words, wordErrors } = textErrorsOf(reel.text, runs[index]![0]!.text);
      const speed = [formatFigure(median(times), "ms"), formatFigure(Math.min(...times), "ms")];
      return [
        name,
        ...speed,
        formatFigure(seconds, "s", 2),
        formatFigure(3_600 / seconds),
        formatFigure(wordErrors / words, "%"),
      ];
    }),
  );
  const hasAim = reel.seconds > 20;
  report.figures(
    measured.map((value) => ({
      what: `five readings, ${value === "processor" ? "processor time" : "time"} to one reading`,
      value: medianRatio(valuesOf(ways.length, value), valuesOf(ways.length + 1, value)),
      unit: "x" as const,
    })),
  );
  report.figures(
    ways.flatMap(({ name, mostRatio }, index) =>
      measured.map((value) => ({
        what: `${name}, ${value === "processor" ? "processor time" : "time"} to the bare recognizer`,
        value: medianRatio(valuesOf(index, value), valuesOf(ways.length, value)),
        unit: "x" as const,
        ...(hasAim && value === "milliseconds" && { atMost: mostRatio }),
      })),
    ),
  );
}

/** Names of the processes in command lines: the service, the recognizer, either decoder. */
const parts = { service: "server/dist/main.js", recognizer: "recognizer-child", decoder: "ffmpeg" };
type Memory = Readonly<Record<keyof typeof parts | "all" | "processes", number>>;

function memoryOf({ processId }: Service): Memory {
  const tree = treeOf(processId);
  const each = Object.entries(parts).map(([part, name]) => [
    part,
    megabytesOf(tree.filter(({ command }) => command.includes(name))),
  ]);
  return { ...(Object.fromEntries(each) as Memory), all: megabytesOf(tree), processes: tree.length };
}

/** Measures all processes of the service without the stand-in: idle, at the peak of reels of 60 s, and idle again. */
async function measureMemory(
  { report, extent }: Needs,
  { name, service, caller }: Way,
  standin: Standin,
): Promise<void> {
  const { memoryRounds: rounds, memoryLength, settled: settledMilliseconds, idle: rest } = sizes[extent];
  const reel = await englishReelOf(memoryLength);
  const after = (milliseconds: number): Promise<Memory> => pause(milliseconds).then(() => memoryOf(service));
  await transcribe(service, caller, publish(standin, reel));
  const idle = await after(settledMilliseconds);
  let peak = idle;
  const watch = setInterval(() => {
    const now = memoryOf(service);
    if (now.all > peak.all) peak = now;
  }, sampleMilliseconds);
  for (let round = 0; round < rounds; round += 1) await transcribe(service, caller, publish(standin, reel));
  clearInterval(watch);
  const soon = await after(settledMilliseconds);
  const late = await after(rest);
  report.note(
    `\n  Memory, ${name}: proportional set size, in MB of 1,000,000 bytes; ${rounds} fresh reels of ${memoryLength} s`,
  );
  const columns = ["all", "service", "recognizer", "decoder"] as const;
  report.table(
    ["when", ...columns],
    Object.entries({ "idle, model loaded": idle, peak, "after 3 s": soon, "after a minute": late }).map(
      ([when, memory]) => [when, ...columns.map((column) => formatFigure(memory[column], "MB"))],
    ),
  );
  report.figures([
    { what: `idle, model loaded (${idle.processes} processes)`, value: idle.all, unit: "MB", atMost: 500 },
    { what: "peak", value: peak.all, unit: "MB", atMost: 900 },
    { what: "a minute later", value: late.all, unit: "MB", atMost: 550 },
  ]);
}
