import { setTimeout as pause } from "node:timers/promises";
import path from "node:path";
import { textErrorsOf as errorsOf } from "@reelscript/whisper";
import { atMost, type Figure, milliseconds, type Needs, percent, ratio, type Report } from "./report.ts";
import type { BareRecognizerMethods } from "./processes/bare-recognizer-process.ts";
import { startChild, withStarted } from "./processes/child.ts";
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
import { runWhisperCli, whisperCli, writeWav } from "./processes/whisper-cli.ts";

const lengths = [
  { seconds: 30, mostOfWhisperCli: 0.55 },
  { seconds: 60, mostOfWhisperCli: 0.6 },
];
const partNames = ["fetch", "decode", "recognition", "storage", "rest"] as const;
/** A fresh decoder warms up after each file; nobody else is to pay for that. */
const restMilliseconds = 2_000;

/** POST to transcript of fresh reels, beside the bare recognizer (and whisper-cli) on the same audio. */
export async function benchWholeRequest({ report, folder, quick, threads }: Needs): Promise<void> {
  const rounds = quick ? 3 : 7;
  const other = whisperCli();
  report.section(
    "Whole request",
    `POST to transcript of a reel that nobody asked for before; ${threads} threads; ${rounds} rounds after one to warm up, all ways in turn.`,
    "Bare: the recognizer alone, model loaded, samples decoded and at hand. Ratios are medians of each round's ratio.",
  );
  await withStarted(async (started) => {
    const standin = await started(startStandin());
    const bare = await started(startChild<BareRecognizerMethods>("./bare-recognizer-process.js", { threads }));
    const ways: Way[] = [];
    for (const decoder of await decodersHere()) {
      const recognition = { ffmpegPath: decoder.ffmpegPath, threads };
      const data = path.join(folder, decoder.ffmpegPath.replaceAll(path.sep, "-"));
      ways.push({
        ...decoder,
        service: await started(startService({ folder: data, standin, recognition, clocked: true })),
      });
    }
    for (const { seconds, mostOfWhisperCli } of lengths) {
      const reel = await englishReelOf(seconds);
      const samples = await decodedSamples(reel.path);
      await bare.call("keep", { name: reel.name, samples });
      const wavFile = path.join(folder, `${reel.name}.wav`);
      if (other) await writeWav(wavFile, samples);
      const measured: Measured = { bare: [], whisperCli: [], ways: ways.map(() => []) };
      for (let round = -1; round < rounds; round += 1) {
        const bareRun = await bare.call("recognize", reel.name);
        const cliRun = other && (await runWhisperCli(other, wavFile, threads));
        const runs: WholeRun[] = [];
        for (const { service } of ways) {
          runs.push(await oneRequest(service, standin, reel));
          await pause(restMilliseconds);
        }
        if (round < 0) continue;
        measured.bare.push(bareRun);
        if (cliRun) measured.whisperCli.push(cliRun);
        for (const [index, run] of runs.entries()) measured.ways[index]!.push(run);
      }
      printLength(report, { reel, seconds, mostOfWhisperCli, measured, ways });
    }
    if (!other)
      report.note(
        "Not compared with whisper-cli: set WHISPER_CLI (the program) and WHISPER_CLI_MODEL (its model file).",
      );
  });
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
  readonly whisperCli: Run[];
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
    mostOfWhisperCli,
    measured,
    ways,
  }: (typeof lengths)[number] & {
    readonly reel: StoredReel;
    readonly measured: Measured;
    readonly ways: readonly Way[];
  },
): void {
  const bareTimes = measured.bare.map((run) => run.milliseconds);
  const cliTimes = measured.whisperCli.map((run) => run.milliseconds);
  const wordError = (run: Run): number => {
    const { words, wordErrors } = errorsOf(reel.text, run.text);
    return wordErrors / words;
  };
  report.note(`\n  ${reel.name}: ${reel.seconds.toFixed(1)} s of English`);
  report.table(
    ["way", "median", "least", ...partNames, "word error"],
    [
      ...ways.map(({ name }, index) => {
        const runs = measured.ways[index]!;
        const times = runs.map((run) => run.milliseconds);
        return [
          name,
          milliseconds(median(times)),
          milliseconds(Math.min(...times)),
          ...partNames.map((part) => percent(mean(runs.map((run) => run.parts[part] / run.milliseconds)))),
          percent(wordError(runs[0]!)),
        ];
      }),
      [
        "bare recognizer",
        milliseconds(median(bareTimes)),
        milliseconds(Math.min(...bareTimes)),
        "",
        "",
        "",
        "",
        "",
        percent(wordError(measured.bare[0]!)),
      ],
      ...(cliTimes.length > 0
        ? [
            [
              "whisper-cli",
              milliseconds(median(cliTimes)),
              milliseconds(Math.min(...cliTimes)),
              "",
              "",
              "",
              "",
              "",
              percent(wordError(measured.whisperCli[0]!)),
            ],
          ]
        : []),
    ],
  );
  report.figures(
    ways.flatMap(({ name, mostRatio }, index) => {
      const times = measured.ways[index]!.map((run) => run.milliseconds);
      const ofBare = medianRatio(times, bareTimes);
      const rows: Figure[] = [
        {
          what: `${seconds} s, ${name}, to the bare recognizer`,
          figure: ratio(ofBare),
          aim: atMost(ofBare, mostRatio),
        },
      ];
      if (cliTimes.length > 0) {
        const ofCli = medianRatio(times, cliTimes);
        const points = (wordError(measured.ways[index]![0]!) - wordError(measured.whisperCli[0]!)) * 100;
        rows.push(
          { what: `${seconds} s, ${name}, to whisper-cli`, figure: ratio(ofCli), aim: atMost(ofCli, mostOfWhisperCli) },
          {
            what: `${seconds} s, ${name}, word error above whisper-cli's`,
            figure: `${points.toFixed(1)} points`,
            aim: atMost(points, 1, " point"),
          },
        );
      }
      return rows;
    }),
  );
}
