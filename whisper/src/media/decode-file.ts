import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { DecodedMedia } from "../decoded-media.ts";
import { ChannelMixer } from "./channel-mixer.ts";
import { gaveUp, WhisperError } from "../whisper-error.ts";
import type { DecoderEngine } from "./decoder-engine.ts";
import { type Deferred, deferred } from "./deferred.ts";
import { exitCrashed, exitOutOfMemory } from "./embedded-ffmpeg-protocol.ts";
import { sampleRate } from "./ffmpeg-arguments.ts";
import { FfmpegReport } from "./ffmpeg-report.ts";
import { inspectFile } from "./inspect-file.ts";
import { superviseChild, type SupervisedChild } from "./supervise-child.ts";
import { StrangeOutput, TimedAudioReader } from "./timed-audio.ts";
import { Timeline } from "./timeline.ts";

interface DecodeLimits {
  readonly maxBytes: number;
  /** Wall-clock seconds spent waiting for the child; time in which nobody asks for samples is not counted. */
  readonly seconds: number;
  readonly memoryBytes: number;
}

interface DecodeOptions {
  readonly maxSeconds: number;
  readonly signal: AbortSignal;
}

interface Outcome {
  readonly durationSeconds: Deferred<number | null>;
  readonly truncated: Deferred<boolean>;
}

/** Starts the child when the first samples are asked for. */
export function decodeFile(
  engine: DecoderEngine,
  path: string,
  options: DecodeOptions,
  limits: DecodeLimits,
): DecodedMedia {
  const outcome: Outcome = { durationSeconds: deferred(), truncated: deferred() };
  return {
    samples: readSamples(engine, path, options, limits, outcome),
    durationSeconds: outcome.durationSeconds.promise,
    truncated: outcome.truncated.promise,
  };
}

async function* readSamples(
  engine: DecoderEngine,
  path: string,
  options: DecodeOptions,
  limits: DecodeLimits,
  outcome: Outcome,
): AsyncGenerator<Float32Array, void, undefined> {
  const maxSamples = Math.floor(options.maxSeconds * sampleRate);
  let run: DecodeRun | undefined;
  let passedOn = 0;
  let leftOver = false;
  try {
    throwIfAborted(options.signal);
    const file = await inspectFile(path, limits.maxBytes);
    throwIfAborted(options.signal);
    const begin = (stream?: number): DecodeRun => {
      const job = { ...file, cpuSeconds: limits.seconds, stream };
      return beginRun(engine.start(job), file.bytes, options.signal, limits, outcome.durationSeconds);
    };
    run = begin();
    let first = await firstChunk(run);
    const { defaultStream } = run.report;
    if (defaultStream !== undefined) {
      await endRun(run);
      run = begin(defaultStream);
      first = await firstChunk(run);
    }
    for await (const samples of mixedSound(run, first, maxSamples)) {
      const portion = samples.subarray(0, maxSamples - passedOn);
      leftOver = portion.length < samples.length;
      passedOn += portion.length;
      if (portion.length > 0) yield portion;
      if (leftOver) break;
    }
    if (!leftOver) await judgeEnd(run.child, run.report, passedOn);
  } catch (error) {
    for (const promise of Object.values(outcome)) promise.reject(error);
    throw error;
  } finally {
    if (run !== undefined) await endRun(run);
    if (run !== undefined) outcome.durationSeconds.resolve(run.report.durationSeconds);
    outcome.truncated.resolve(leftOver);
  }
}

/** A child at work. */
interface DecodeRun {
  readonly child: SupervisedChild;
  readonly report: FfmpegReport;
  readonly output: AsyncGenerator<Uint8Array, void, undefined>;
}

function beginRun(
  started: ChildProcess,
  bytes: number,
  signal: AbortSignal,
  limits: DecodeLimits,
  duration: Deferred<number | null>,
): DecodeRun {
  const report = new FfmpegReport(bytes);
  started.stderr?.setEncoding("latin1");
  started.stderr?.on("data", (printed: string) => {
    report.add(printed);
    if (report.isComplete) duration.resolve(report.durationSeconds);
  });
  started.stderr?.once("close", () => report.end());
  const child = superviseChild(started, signal, limits);
  return { child, report, output: child.output };
}

async function endRun({ child, output }: DecodeRun): Promise<void> {
  await output.return();
  await child.stop();
}

/** ffmpeg describes the file before it hands out samples, but on another way. */
const descriptionMilliseconds = 2_000;

/** The first of what the child prints, when it has also said what is in the file. */
async function firstChunk({ output, report }: DecodeRun): Promise<IteratorResult<Uint8Array, void>> {
  const first = await output.next();
  await Promise.race([report.mapped, pause(descriptionMilliseconds, undefined, { ref: false })]);
  return first;
}

/** The audio of the file's timeline in one channel. */
async function* mixedSound(
  { output, report }: DecodeRun,
  first: IteratorResult<Uint8Array, void>,
  maxSamples: number,
): AsyncGenerator<Float32Array, void, undefined> {
  const reader = new TimedAudioReader();
  const timeline = new Timeline(maxSamples, report.startSeconds);
  let mixer: ChannelMixer | undefined;
  try {
    for (let chunk = first; chunk.done !== true; chunk = await output.next())
      for (const audio of reader.read(chunk.value)) {
        mixer ??= new ChannelMixer(audio.channels);
        for (const samples of timeline.place(audio)) yield mixer.mix(samples);
      }
    if (mixer !== undefined) yield mixer.finish();
  } catch (error) {
    if (!(error instanceof StrangeOutput)) throw error;
    throw new WhisperError("crashed", `The decoder printed ${error.message}.`);
  }
}

/** Throws `WhisperError`, unless samples came out, however the child ended. */
async function judgeEnd(child: SupervisedChild, report: FfmpegReport, samples: number): Promise<void> {
  const { code, signal } = await child.exit;
  if (signal === "SIGXCPU") throw new WhisperError("timeout", "The decoder used more processor time than allowed.");
  if (signal !== null) throw new WhisperError("crashed", `The decoder was ended by ${signal}.`);
  if (code === exitOutOfMemory) throw new WhisperError("memory", "The decoder ran out of memory.");
  if (code === exitCrashed) throw new WhisperError("crashed", `The decoder crashed: ${report.failure.reason}.`);
  if (samples > 0 && report.isMostlyLost(samples / sampleRate))
    throw new WhisperError("brokenOff", `The audio breaks off after ${(samples / sampleRate).toFixed(1)} s.`);
  if (samples > 0) return;
  const { code: failure, reason } = report.failure;
  throw new WhisperError(failure, `No audio could be decoded: ${reason}.`);
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw gaveUp();
}
