import type { MediaDecoder } from "../decoded-media.ts";
import { unavailable } from "../whisper-error.ts";
import { decodeFile } from "./decode-file.ts";
import type { DecoderEngine } from "./decoder-engine.ts";
import { createEmbeddedFfmpeg } from "./embedded-ffmpeg.ts";
import { findExecutable, commandLimiter } from "./child-limits.ts";
import { createSystemFfmpeg } from "./system-ffmpeg.ts";

export interface MediaDecoderOptions {
  /** A program, or "embedded" for the one that comes with this package. Default: the system's ffmpeg, else the embedded one. */
  readonly ffmpegPath?: string | undefined;
  /** Folders in which the system's ffmpeg is looked for, as in PATH. */
  readonly searchPath?: string | undefined;
  /** Larger files are refused unread. */
  readonly maxBytes?: number | undefined;
  /** Wall-clock seconds that decoding a file of up to 15 minutes of audio may take; in proportion for longer ones. */
  readonly secondsLimit?: number | undefined;
  /** Seconds of audio that are decoded at most; 900 by default. */
  readonly longestSeconds?: number | undefined;
  /** Resident memory that one child may hold. */
  readonly memoryLimitBytes?: number | undefined;
}

const usualSeconds = 900;
/** Processor time that a child needs to compile before it has seen a file, with room for slow machines. */
const startSeconds = 30;
const defaultSearchPath = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";

/** Rejects with `WhisperError("unavailable")` when `ffmpegPath` names a program that does not work. */
export async function createMediaDecoder(options: MediaDecoderOptions = {}): Promise<MediaDecoder> {
  const limits = {
    maxBytes: options.maxBytes ?? 256 * 1024 ** 2,
    seconds: options.secondsLimit ?? 120,
    memoryBytes: options.memoryLimitBytes ?? 1024 ** 3,
  };
  const longestSeconds = options.longestSeconds ?? usualSeconds;
  const engine = await chooseEngine(options, decodingSeconds(limits.seconds, longestSeconds));
  const closing = new AbortController();
  return {
    description: engine.description,
    decode: (path, { maxSeconds, signal }) =>
      decodeFile(
        engine,
        path,
        { maxSeconds, signal: AbortSignal.any([signal, closing.signal]) },
        { ...limits, seconds: decodingSeconds(limits.seconds, Math.min(maxSeconds, longestSeconds)) },
      ),
    async close() {
      closing.abort();
      await engine.close();
    },
  };
}

/** Scales a limit for 15 minutes of audio to `seconds`. */
export const decodingSeconds = (limit: number, soundSeconds: number): number =>
  limit * Math.max(1, soundSeconds / usualSeconds);

async function chooseEngine(options: MediaDecoderOptions, cpuSeconds: number): Promise<DecoderEngine> {
  const searchPath = options.searchPath ?? defaultSearchPath;
  const { ffmpegPath } = options;
  const addressSpaceBytes = 2 * 1024 ** 3;
  const openSystem = async (path: string): Promise<DecoderEngine> =>
    createSystemFfmpeg(path, await commandLimiter(searchPath, { cpuSeconds, addressSpaceBytes }));
  if (ffmpegPath !== undefined && ffmpegPath !== "embedded")
    return openSystem(ffmpegPath).catch((error: unknown) => {
      throw unavailable(`${ffmpegPath} is not a usable ffmpeg.`, error);
    });

  const systemPath = ffmpegPath === undefined ? await findExecutable("ffmpeg", searchPath) : undefined;
  const system = systemPath === undefined ? null : await openSystem(systemPath).catch(() => null);
  return system ?? createEmbeddedFfmpeg(await commandLimiter(searchPath, { cpuSeconds: cpuSeconds + startSeconds }));
}
