import { copyFile, chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReelAddress, ReelDetails, ReelSource } from "../../ports.ts";
import { SourceFailure } from "../platform/source-failure.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";
import { ytDlpArguments } from "./ytdlp-arguments.ts";
import { ytDlpDetails } from "./ytdlp-details.ts";
import { ytDlpFailure } from "./ytdlp-failure.ts";

export interface YtDlpSettings {
  /** The program, as `findYtDlp` found it. */
  readonly path: string;
  /** Where the program finds its interpreter, as in `PATH`. */
  readonly searchPath: string;
  /** In Netscape's format; a copy is handed out, so that it stays as it is. */
  readonly cookiesFile?: string | undefined;
  /** Default 45 for details and 180 with the media. */
  readonly seconds?: { readonly resolve: number; readonly fetch: number } | undefined;
}

const canonical = /^https:\/\/[a-z0-9.-]+\/reel\/[\w-]+\/$/;
const outputBytes = 8 * 1024 * 1024;
/** The second one says that it stopped after the one download that it was allowed. */
const goodExitCodes: ReadonlySet<number | null> = new Set([0, 101]);

/** Reels by the yt-dlp program. As `ReelSource`, but throws `SourceFailure` (or the reason of the signal). */
export function createYtDlpSource(options: YtDlpSettings & { readonly maxBytes: number }): ReelSource {
  const { path, searchPath, maxBytes, seconds = { resolve: 45, fetch: 180 } } = options;

  async function ask(reel: ReelAddress, file: string | undefined, signal: AbortSignal): Promise<ReelDetails> {
    if (!canonical.test(reel.url)) throw new SourceFailure("changed", "yt-dlp is given canonical https URLs only");
    const folder = await mkdtemp(join(tmpdir(), "reelscript-ytdlp-"));
    try {
      const cookiesFile = await copyCookies(options.cookiesFile, folder);
      const result = await run(
        {
          program: path,
          arguments: ytDlpArguments({ url: reel.url, file, maxBytes, cookiesFile }),
          folder,
          environment: { PATH: searchPath, HOME: folder, TMPDIR: folder, LC_ALL: "C.UTF-8", YTDLP_NO_PLUGINS: "1" },
          seconds: file === undefined ? seconds.resolve : seconds.fetch,
          outputBytes,
          watch: file === undefined ? undefined : () => watchSize(file, maxBytes),
        },
        signal,
      );
      return await judge(result, reel, file, maxBytes);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    resolve: (reel, signal) => ask(reel, undefined, signal),
    fetch: (reel, file, signal) => ask(reel, file, signal),
  };
}

async function run(...[program, signal]: Parameters<typeof runProgram>): Promise<ProgramResult> {
  try {
    return await runProgram(program, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new SourceFailure("unreachable", "yt-dlp could not be started", error);
  }
}

async function copyCookies(cookiesFile: string | undefined, folder: string): Promise<string | undefined> {
  if (cookiesFile === undefined) return undefined;
  const copy = join(folder, "cookies.txt");
  try {
    await copyFile(cookiesFile, copy);
    await chmod(copy, 0o600);
    return copy;
  } catch (error) {
    throw new SourceFailure("unreachable", "the cookies for yt-dlp could not be read", error);
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function watchSize(file: string, maxBytes: number): Promise<string | undefined> {
  return (await sizeOf(file)) > maxBytes ? "its file grew too large" : undefined;
}

async function judge(
  result: ProgramResult,
  reel: ReelAddress,
  file: string | undefined,
  maxBytes: number,
): Promise<ReelDetails> {
  const bytes = file === undefined ? undefined : await sizeOf(file);
  if (bytes !== undefined && bytes > maxBytes) throw new SourceFailure("tooLarge", `yt-dlp wrote ${bytes} bytes`);
  if (result.ended !== undefined) throw new SourceFailure("unreachable", `yt-dlp was ended: ${result.ended}`);
  const details = ytDlpDetails(result.output, reel);
  if (!goodExitCodes.has(result.exitCode) || details === undefined || bytes === 0)
    throw ytDlpFailure(result.complaints);
  return details;
}
