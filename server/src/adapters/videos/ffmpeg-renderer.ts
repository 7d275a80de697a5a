import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { videoLimits } from "@reelscript/contract";
import { type Container, FfmpegReport, findExecutable, inspectFile, WhisperError } from "@reelscript/whisper";
import type { RenderJob, VideoRenderer } from "../../ports.ts";
import { RenderError, type RenderFailure } from "../../ports/video-renderer.ts";
import { describeArguments, renderArguments } from "./ffmpeg-arguments.ts";
import { RenderReport, streamsIn } from "./render-report.ts";
import { createRunAside, probeMilliseconds, type RunAside } from "./run-aside.ts";

const run = promisify(execFile);

/** Reading what a container says takes as long as a minute at most. */
const describedSeconds = 60;
const longestDescription = 256 * 1024;

interface FindOptions {
  /** A program, or "embedded"; by default the one in `searchPath`. */
  readonly ffmpegPath: string | undefined;
  /** Folders as in PATH. */
  readonly searchPath: string | undefined;
  /** Resident memory that the program may hold. */
  readonly memoryBytes?: number | undefined;
}

/** Asks the system's ffmpeg what it can do. `undefined` if there is none, or it lacks the filter `ass` or the encoder `libx264`. */
export async function findVideoRenderer({
  ffmpegPath,
  searchPath = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
  memoryBytes = 1024 ** 3,
}: FindOptions): Promise<VideoRenderer | undefined> {
  if (ffmpegPath === "embedded") return undefined;
  const file = ffmpegPath ?? (await findExecutable("ffmpeg", searchPath));
  if (file === undefined) return undefined;
  const program = path.resolve(file);
  const ask = async (what: string): Promise<string> =>
    (await run(program, ["-hide_banner", what], { env: {}, timeout: probeMilliseconds, maxBuffer: 4 * 1024 ** 2 }))
      .stdout;
  try {
    const filters = await ask("-filters");
    const encoders = await ask("-encoders");
    if (!/^ \S+ +ass +V->V/m.test(filters) || !/^ V\S+ libx264 /m.test(encoders)) return undefined;
  } catch {
    return undefined;
  }
  const runAside = await createRunAside(program, { searchPath, memoryBytes });
  return { description: program, render: (job) => render(runAside, job) };
}

async function render(runAside: RunAside, job: RenderJob): ReturnType<VideoRenderer["render"]> {
  try {
    const { container, bytes } = await inspectFile(path.join(job.directory, job.media), Infinity);
    const { hasPicture, sound, seconds } = await describe(runAside, job, { container, bytes });
    if (!hasPicture) throw new RenderError("noPicture", "The container has no picture.");
    const stated = seconds ?? videoLimits.longestSeconds;
    if (stated > videoLimits.longestSeconds + 1) throw new RenderError("tooLong", `The video has ${stated} s.`);
    const report = new RenderReport(stated, job.onProgress);
    const { code, signal } = await runAside(renderArguments({ ...job, container, sound }), {
      directory: job.directory,
      seconds: Math.min(stated, videoLimits.longestSeconds),
      signal: job.signal,
      onOutput: (chunk) => report.addProgress(chunk),
      onMessages: (printed) => report.addMessages(printed),
    });
    report.judge(code, signal);
    const { size } = await stat(path.join(job.directory, job.output));
    if (size === 0) throw new RenderError("noPicture", "ffmpeg wrote nothing.");
    return { lacksLetters: report.lacksLetters };
  } catch (error) {
    job.signal.throwIfAborted();
    throw error instanceof WhisperError ? renderErrorOf(error) : error;
  }
}

/** The streams of a file, as its container states them. The sound is the track that is transcribed. */
async function describe(
  runAside: RunAside,
  { directory, media, signal }: RenderJob,
  { container, bytes }: { readonly container: Container; readonly bytes: number },
) {
  const report = new FfmpegReport(bytes);
  let text = "";
  await runAside(describeArguments(container, media), {
    directory,
    seconds: describedSeconds,
    signal,
    onOutput: () => undefined,
    onMessages(printed) {
      report.add(printed);
      if (text.length < longestDescription) text += printed;
    },
  });
  const { hasPicture, sounds } = streamsIn(text);
  const sound = sounds.find(({ stream }) => stream === report.defaultStream) ?? sounds[0];
  return { hasPicture, sound, seconds: report.durationSeconds };
}

const failures: { readonly [Code in WhisperError["code"]]?: RenderFailure } = {
  unsupportedContainer: "noPicture",
  undecodable: "noPicture",
  timeout: "tookTooLong",
  memory: "tookTooMuchMemory",
};

const renderErrorOf = (error: WhisperError): RenderError =>
  new RenderError(failures[error.code] ?? "broke", error.message, { cause: error });
