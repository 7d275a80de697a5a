import { setTimeout as pause } from "node:timers/promises";
import path from "node:path";
import { textErrorsOf as errorsOf } from "@reelscript/whisper";
import { type Needs, type Report, shown } from "./report.ts";
import type { BareRecognizerMethods } from "./processes/bare-recognizer-process.ts";
import { startChild } from "./processes/child.ts";
import type { Recorded } from "./processes/service-process.ts";
import {
  type Decoder,
  decodersHere,
  publish,
  type Service,
  type Standin,
  startService,
  startStandin,
  transcribe,
} from "./processes/services.ts";
import { decodedSamples, englishReelOf, type StoredReel } from "./speech-clips.ts";
import { mean, median, medianRatio } from "./statistics.ts";
import { moment } from "./processes/timed.ts";

const lengths = [30, 60];
const partNames = ["fetch", "decode", "recognition", "storage", "rest"] as const;
/** A fresh decoder warms up after each file; nobody else is to pay for that. */
const restMilliseconds = 2_000;

/** POST to transcript of fresh reels, beside the bare recognizer on the same audio. */
export async function benchWholeRequest({ report, folder, quick, threads, started }: Needs): Promise<void> {
  const rounds = quick ? 3 : 7;
  report.section(
    "Whole request",
    `POST to transcript of a reel that nobody asked for before; ${threads} threads; ${rounds} rounds after one to warm up, all ways in turn.`,
    "Bare: the recognizer alone, model loaded, samples decoded and at hand. Ratios are medians of each round's ratio.",
  );
  const standin = await started(startStandin());
  const bare = await started(startChild<BareRecognizerMethods>("./bare-recognizer-process.js", { threads }));
  const ways: Way[] = [];
  for (const decoder of await decodersHere()) {
    const recognition = { ffmpegPath: decoder.ffmpegPath, threads };
    const data = path.join(folder, decoder.ffmpegPath.replaceAll(path.sep, "-"));
    const service = await started(startService({ folder: data, standin, recognition, clocked: true }));
    ways.push({ ...decoder, service });
  }
  for (const seconds of lengths) {
    const reel = await englishReelOf(seconds);
    await bare.call("keep", { name: reel.name, samples: await decodedSamples(reel.path) });
    const measured: Measured = { bare: [], ways: ways.map(() => []) };
    for (let round = -1; round < rounds; round += 1) {
      const bareRun = await bare.call("recognize", reel.name);
      const runs: WholeRun[] = [];
      for (const { service } of ways) {
        runs.push(await oneRequest(service, standin, reel));
        await pause(restMilliseconds);
      }
      if (round < 0) continue;
      measured.bare.push(bareRun);
      for (const [index, run] of runs.entries()) measured.ways[index]!.push(run);
    }
    printLength(report, { reel, seconds, measured, ways });
  }
}

type Way = Decoder & { readonly service: Service };
interface Run {
  readonly milliseconds: number;
  readonly text: string;
}
interface WholeRun extends Run {
  readonly parts: Parts;
}
type Parts = Readonly<Record<(typeof partNames)[number], number>>;
interface Measured {
  readonly bare: Run[];
  /** By way. */
  readonly ways: WholeRun[][];
}

async function oneRequest(service: Service, standin: Standin, reel: StoredReel): Promise<WholeRun> {
  const url = await publish(standin, reel);
  await service.call("takeRecorded");
  const from = moment();
  const answer = await transcribe(service, url);
  const to = moment();
  if (answer.cached) throw new Error("a fresh reel came from the cache");
  return {
    milliseconds: to - from,
    text: answer.transcript,
    parts: requestPartsOf(await service.call("takeRecorded"), from, to),
  };
}

/** Splits a request's time: each moment belongs to one part. Decoding that runs beside recognition counts as decoding. */
function requestPartsOf(recorded: readonly Recorded[], from: number, to: number): Parts {
  const one = (part: string): Recorded => {
    const found = recorded.filter((entry) => entry.part === part);
    if (found.length !== 1) throw new Error(`expected one ${part} in a request, saw ${found.length}`);
    return found[0]!;
  };
  const fetching = one("fetch");
  const transcribing = one("transcribe");
  const decoding = one("decode");
  const storing = recorded
    .filter(({ part, from: start }) => part === "storage" && (start < fetching.from || start >= transcribing.to))
    .reduce((sum, entry) => sum + Math.min(entry.to, to) - entry.from, 0);
  const parts = {
    fetch: fetching.to - fetching.from,
    decode: decoding.to - transcribing.from,
    recognition: transcribing.to - decoding.to,
    storage: storing,
  };
  return { ...parts, rest: to - from - Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

function printLength(
  report: Report,
  {
    reel,
    seconds,
    measured,
    ways,
  }: {
    readonly reel: StoredReel;
    readonly seconds: number;
    readonly measured: Measured;
    readonly ways: readonly Way[];
  },
): void {
  const timesOf = (runs: readonly Run[]): number[] => runs.map((run) => run.milliseconds);
  const row = (name: string, runs: readonly Run[], shares: readonly string[]): string[] => {
    const { words, wordErrors } = errorsOf(reel.text, runs[0]!.text);
    const times = timesOf(runs);
    return [
      name,
      shown(median(times), "ms"),
      shown(Math.min(...times), "ms"),
      ...shares,
      shown(wordErrors / words, "%"),
    ];
  };
  report.note(`\n  ${reel.name}: ${reel.seconds.toFixed(1)} s of English`);
  report.table(
    ["way", "median", "least", ...partNames, "word error"],
    [
      ...ways.map(({ name }, index) => {
        const runs = measured.ways[index]!;
        const shareOf = (part: keyof Parts): number => mean(runs.map((run) => run.parts[part] / run.milliseconds));
        return row(
          name,
          runs,
          partNames.map((part) => shown(shareOf(part), "%")),
        );
      }),
      row(
        "bare recognizer",
        measured.bare,
        partNames.map(() => ""),
      ),
    ],
  );
  report.figures(
    ways.map(({ name, mostRatio }, index) => ({
      what: `${seconds} s, ${name}, to the bare recognizer`,
      value: medianRatio(timesOf(measured.ways[index]!), timesOf(measured.bare)),
      unit: "x",
      atMost: mostRatio,
    })),
  );
}
