import { execFile, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { videoLimits } from "@reelscript/contract";
import {
  commandLimiter,
  FfmpegReport,
  findExecutable,
  inspectFile,
  superviseChild,
  watchLife,
  WhisperError,
  type Container,
} from "@reelscript/whisper";
import type { VideoRenderer } from "../../ports.ts";
import { RenderError, type RenderFailure } from "../../ports/video-renderer.ts";
import { describeArguments, renderArguments } from "./ffmpeg-arguments.ts";

const run = promisify(execFile);

/** A machine that is busy with much else takes long to start any program. */
const probeMilliseconds = 60_000;
const describeSeconds = 60;

/** A minute takes at most four seconds of processor time for each of its own; twice as many end it. */
const processorSecondsOf = (seconds: number): number => 60 + 8 * seconds;
/** It only gets what nobody else needs, so that it may take long. */
const secondsOf = (seconds: number): number => 600 + 30 * seconds;
const memoryBytes = 1024 ** 3;
const addressSpaceBytes = 4 * 1024 ** 3;

interface FindOptions {
  /** A program, or "embedded"; by default the one in `searchPath`. */
  readonly ffmpegPath: string | undefined;
  /** Folders as in PATH. */
  readonly searchPath: string | undefined;
  /** Resident memory that the program may hold. */
  readonly memoryLimitBytes?: number | undefined;
}

/** Asks the system's ffmpeg what it can do. `undefined` if there is none, or it lacks the filter `ass` or the encoder `libx264`. */
export async function findVideoRenderer({
  ffmpegPath,
  searchPath = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
  memoryLimitBytes = memoryBytes,
}: FindOptions): Promise<VideoRenderer | undefined> {
  if (ffmpegPath === "embedded") return undefined;
  const found = ffmpegPath ?? (await findExecutable("ffmpeg", searchPath));
  if (found === undefined) return undefined;
  const program = path.resolve(found);
  const ask = async (what: string): Promise<string> =>
    (await run(program, ["-hide_banner", what], { env: {}, timeout: probeMilliseconds, maxBuffer: 4 * 1024 ** 2 }))
      .stdout;
  try {
    const [filters, encoders] = [await ask("-filters"), await ask("-encoders")];
    if (!/^ \S+ +ass +V->V/m.test(filters) || !/^ V\S+ libx264 /m.test(encoders)) return undefined;
  } catch {
    return undefined;
  }
  return createFfmpegRenderer(program, searchPath, memoryLimitBytes);
}

async function createFfmpegRenderer(
  program: string,
  searchPath: string,
  memoryLimitBytes: number,
): Promise<VideoRenderer> {
  const [chrt, setpriv] = [await findExecutable("chrt", searchPath), await findExecutable("setpriv", searchPath)];
  /** It computes only while nobody else wants to, and ends with the service. */
  const aside = [
    ...(chrt === undefined ? [] : [chrt, "--idle", "0"]),
    ...(setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"]),
  ];

  async function start(
    parameters: readonly string[],
    {
      directory,
      seconds,
      signal,
    }: { readonly directory: string; readonly seconds: number; readonly signal: AbortSignal },
  ) {
    const limit = await commandLimiter(searchPath, {
      cpuSeconds: processorSecondsOf(seconds),
      addressSpaceBytes,
      fileBytes: videoLimits.mostBytes,
    });
    const limited = limit([program, ...parameters]);
    const [first = "", ...rest] = [...aside, limited.program, ...limited.parameters];
    const child = spawn(first, rest, { cwd: directory, env: {}, stdio: ["ignore", "pipe", "pipe"] });
    let isSilent = false;
    const life = watchLife(child.pid, () => {
      isSilent = true;
      child.kill("SIGKILL");
    });
    const supervised = superviseChild(child, signal, { seconds: secondsOf(seconds), memoryBytes: memoryLimitBytes });
    void supervised.exit.then(() => life.stop());
    return { child, supervised, isSilent: () => isSilent };
  }

  /** The streams of a file, as its container states them. */
  async function describe(container: Container, bytes: number, job: Parameters<VideoRenderer["render"]>[0]) {
    const report = new FfmpegReport(bytes);
    let text = "";
    const { child, supervised } = await start(describeArguments(container, job.media), {
      directory: job.directory,
      seconds: describeSeconds,
      signal: job.signal,
    });
    child.stderr.setEncoding("utf8").on("data", (printed: string) => {
      report.add(printed);
      if (text.length < longestDescription) text += printed;
    });
    await read(supervised.output, () => undefined);
    report.add("\n");
    return { ...streamsIn(text), seconds: report.durationSeconds, soundStream: report.defaultStream };
  }

  return {
    description: program,
    async render(job) {
      try {
        const { container, bytes } = await inspectFile(path.join(job.directory, job.media), Infinity);
        const streams = await describe(container, bytes, job);
        if (!streams.hasPicture) throw new RenderError("noPicture", "The container has no picture.");
        const stated = streams.seconds ?? videoLimits.longestSeconds;
        if (stated > videoLimits.longestSeconds + 1) throw new RenderError("tooLong", `The video has ${stated} s.`);
        const sound = streams.sounds.find(({ stream }) => stream === streams.soundStream) ?? streams.sounds[0];
        const watched = new Watched(stated, job.onProgress);
        const { child, supervised, isSilent } = await start(renderArguments({ ...job, container, sound }), {
          directory: job.directory,
          seconds: Math.min(stated, videoLimits.longestSeconds),
          signal: job.signal,
        });
        child.stderr.setEncoding("utf8").on("data", (printed: string) => watched.addMessages(printed));
        await read(supervised.output, (chunk) => watched.addProgress(chunk)).catch((error: unknown) => {
          if (isSilent()) throw new RenderError("stoodStill", "ffmpeg stood still.");
          throw error;
        });
        if (isSilent()) throw new RenderError("stoodStill", "ffmpeg stood still.");
        const { code, signal } = await supervised.exit;
        watched.judge(code, signal);
        const { size } = await stat(path.join(job.directory, job.output));
        if (size === 0) throw new RenderError("noPicture", "ffmpeg wrote nothing.");
        return { lacksLetters: watched.lacksLetters };
      } catch (error) {
        job.signal.throwIfAborted();
        throw error instanceof WhisperError ? renderErrorOf(error) : error;
      }
    },
  };
}

async function read(output: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of output) onChunk(chunk);
}

const failures: { readonly [Code in WhisperError["code"]]?: RenderFailure } = {
  unsupportedContainer: "noPicture",
  undecodable: "noPicture",
  timeout: "tookTooLong",
  memory: "tookTooMuchMemory",
};

const renderErrorOf = (error: WhisperError): RenderError =>
  new RenderError(failures[error.code] ?? "broke", error.message, { cause: error });

const longestDescription = 256 * 1024;

/** A cover is a picture that is attached, and not a video. */
function streamsIn(text: string): {
  readonly hasPicture: boolean;
  readonly sounds: readonly { readonly stream: number; readonly codec: string }[];
} {
  const videos = [...text.matchAll(/^\[info\] +Stream #0:\d+\S*: Video: (.*)$/gm)];
  const sounds = [...text.matchAll(/^\[info\] +Stream #0:(\d+)\S*: Audio: (\w+)/gm)];
  return {
    hasPicture: videos.some(([, about = ""]) => !about.startsWith("none") && !about.includes("(attached pic)")),
    sounds: sounds.flatMap(([, stream, codec = "none"]) =>
      codec === "none" ? [] : [{ stream: Number(stream), codec }],
    ),
  };
}

const longestLine = 4_096;
const keptMessages = 20;
const missingLetter = /failed to find any fallback with glyph 0x([\dA-F]+)/i;

/** Follows what ffmpeg prints. Bounded: a hostile file can make it print without end. */
class Watched {
  readonly #seconds: number;
  readonly #onProgress: (share: number) => void;
  readonly #messages: string[] = [];
  readonly #utf8 = new TextDecoder();
  #progressLine = "";
  #messageLine = "";
  #frames = 0;
  #written = 0;
  lacksLetters = false;

  constructor(seconds: number, onProgress: (share: number) => void) {
    this.#seconds = seconds;
    this.#onProgress = onProgress;
  }

  addProgress(chunk: Uint8Array): void {
    const lines = (this.#progressLine + this.#utf8.decode(chunk, { stream: true })).split("\n");
    this.#progressLine = (lines.pop() ?? "").slice(0, longestLine);
    for (const line of lines) {
      const [, name, value] = /^(frame|out_time_us)= *(\d+)/.exec(line) ?? [];
      if (name === "frame") this.#frames = Number(value);
      if (name !== "out_time_us") continue;
      this.#written = Number(value) / 1_000_000;
      this.#onProgress(Math.min(1, this.#written / Math.max(1, this.#seconds)));
    }
  }

  addMessages(printed: string): void {
    const lines = (this.#messageLine + printed).split("\n");
    this.#messageLine = (lines.pop() ?? "").slice(0, longestLine);
    for (const line of lines) {
      const [, glyph] = missingLetter.exec(line.slice(0, longestLine)) ?? [];
      if (glyph !== undefined && isVisible(Number.parseInt(glyph, 16))) this.lacksLetters = true;
      if (!/\[(warning|error|fatal)\]/.test(line)) continue;
      this.#messages.push(line.slice(0, 300));
      if (this.#messages.length > keptMessages) this.#messages.shift();
    }
  }

  /** Throws `RenderError` unless there is a whole video. */
  judge(code: number | null, signal: NodeJS.Signals | null): void {
    const said = this.#messages.join("\n").replaceAll(/[^\x20-\x7e\n]/g, "?");
    if (signal === "SIGXCPU") throw new RenderError("tookTooLong", "ffmpeg used more processor time than allowed.");
    if (signal === "SIGXFSZ" || /File too large/.test(said))
      throw new RenderError("tooLarge", "The video would be larger than allowed.");
    if (signal !== null) throw new RenderError("broke", `ffmpeg was ended by ${signal}. ${said}`);
    if (/Cannot allocate memory/.test(said)) throw new RenderError("tookTooMuchMemory", said);
    if (code !== 0 && (this.#frames === 0 || /Error while decoding|Invalid data/.test(said)))
      throw new RenderError("noPicture", said);
    if (code !== 0) throw new RenderError("broke", `ffmpeg ended with ${code}. ${said}`);
    if (this.#frames === 0) throw new RenderError("noPicture", `No picture could be decoded. ${said}`);
    if (this.#written > videoLimits.longestSeconds + 0.5)
      throw new RenderError("tooLong", "The video is longer than its container states.");
  }
}

/** Marks that only direct or join letters need no font. */
const isVisible = (codePoint: number): boolean =>
  codePoint <= 0x10_ff_ff && !/^[\p{Default_Ignorable_Code_Point}\s]$/u.test(String.fromCodePoint(codePoint));
