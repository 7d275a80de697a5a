import type { ChildProcess } from "node:child_process";
import type { DecodedMedia } from "../decoded-media.ts";
import { gaveUp, WhisperError } from "../whisper-error.ts";
import type { DecoderEngine } from "./decoder-engine.ts";
import { type Deferred, deferred } from "./deferred.ts";
import { exitCrashed, exitOutOfMemory } from "./embedded-ffmpeg-protocol.ts";
import { sampleRate } from "./ffmpeg-arguments.ts";
import { FfmpegReport } from "./ffmpeg-report.ts";
import { inspectFile } from "./inspect-file.ts";
import { superviseChild, type SupervisedChild } from "./supervise-child.ts";

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
  let child: SupervisedChild | undefined;
  let report: FfmpegReport | undefined;
  let passedOn = 0;
  let leftOver = false;
  try {
    throwIfAborted(options.signal);
    const file = await inspectFile(path, limits.maxBytes);
    throwIfAborted(options.signal);
    const heard = new FfmpegReport(file.bytes);
    report = heard;
    const started = engine.start({ ...file, maxSeconds: options.maxSeconds, cpuSeconds: limits.seconds });
    listen(started, heard, outcome.durationSeconds);
    child = superviseChild(started, options.signal, limits);
    const reader = new SampleReader();
    for await (const chunk of child.output) {
      const samples = reader.read(chunk);
      const wanted = samples.subarray(0, maxSamples - passedOn);
      leftOver = wanted.length < samples.length;
      passedOn += wanted.length;
      if (wanted.length > 0) yield wanted;
      if (leftOver) break;
    }
    if (!leftOver) await judgeEnd(child, heard, passedOn);
  } catch (error) {
    for (const promise of Object.values(outcome)) promise.reject(error);
    throw error;
  } finally {
    await child?.stop();
    if (report !== undefined) outcome.durationSeconds.resolve(report.durationSeconds);
    outcome.truncated.resolve(leftOver);
  }
}

function listen(child: ChildProcess, report: FfmpegReport, duration: Deferred<number | null>): void {
  child.stderr?.setEncoding("latin1");
  child.stderr?.on("data", (printed: string) => {
    report.add(printed);
    if (report.isComplete) duration.resolve(report.durationSeconds);
  });
}

/** Throws `WhisperError`, unless samples came out, however the child ended. */
async function judgeEnd(child: SupervisedChild, report: FfmpegReport, samples: number): Promise<void> {
  const { code, signal } = await child.exit;
  if (signal === "SIGXCPU") throw new WhisperError("timeout", "The decoder used more processor time than allowed.");
  if (signal !== null) throw new WhisperError("crashed", `The decoder was ended by ${signal}.`);
  if (code === exitOutOfMemory) throw new WhisperError("memory", "The decoder ran out of memory.");
  if (code === exitCrashed) throw new WhisperError("crashed", `The decoder crashed: ${report.failure.reason}.`);
  if (samples > 0 && report.isMostlyLost(samples / sampleRate))
    throw new WhisperError("undecodable", `The audio breaks off after ${(samples / sampleRate).toFixed(1)} s.`);
  if (samples > 0) return;
  const { code: failure, reason } = report.failure;
  throw new WhisperError(failure, `No audio could be decoded: ${reason}.`);
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw gaveUp();
}

const bytesPerSample = 4;

/** Cuts a stream of bytes into little-endian float32 samples; a sample may lie across two chunks. */
class SampleReader {
  #rest: Uint8Array = new Uint8Array(0);

  read(chunk: Uint8Array): Float32Array {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const count = Math.floor(bytes.length / bytesPerSample);
    this.#rest = bytes.slice(count * bytesPerSample);
    const aligned = bytes.slice(0, count * bytesPerSample);
    const view = new DataView(aligned.buffer, aligned.byteOffset, aligned.byteLength);
    const samples = new Float32Array(count);
    for (let index = 0; index < count; index += 1) samples[index] = tame(view.getFloat32(index * bytesPerSample, true));

    return samples;
  }
}

/** Files in floating point may hold anything. */
function tame(value: number): number {
  if (value >= -1 && value <= 1) return value;
  if (value > 1) return 1;
  return value < -1 ? -1 : 0;
}
