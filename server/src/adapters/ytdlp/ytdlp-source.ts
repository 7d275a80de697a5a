import { chmod, copyFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
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
const tooLarge = "its file grew too large";
const outputBytes = 8 * 1024 * 1024;

/** Reels by the yt-dlp program. As `ReelSource`, but throws `SourceFailure` (or the reason of the signal). */
export function createYtDlpSource(options: YtDlpSettings & { readonly maxBytes: number }): ReelSource {
  const { path, searchPath, maxBytes, seconds = { resolve: 45, fetch: 180 } } = options;

  async function ask(
    reel: ReelAddress,
    signal: AbortSignal,
    wanted: "details" | "media",
    use: (media: string) => Promise<void>,
  ): Promise<ReelDetails> {
    if (!canonical.test(reel.url)) throw new SourceFailure("changed", "yt-dlp is given canonical https URLs only");
    const folder = await mkdtemp(join(tmpdir(), "reelscript-ytdlp-"));
    const media = wanted === "media" ? join(folder, "media") : undefined;
    try {
      const cookiesFile = await copyCookies(options.cookiesFile, folder);
      const result = await run(
        {
          program: path,
          arguments: ytDlpArguments({ url: reel.url, file: media, maxBytes, cookiesFile }),
          folder,
          environment: { PATH: searchPath, HOME: folder, TMPDIR: folder, LC_ALL: "C.UTF-8", YTDLP_NO_PLUGINS: "1" },
          seconds: media === undefined ? seconds.resolve : seconds.fetch,
          outputBytes,
          watch: media === undefined ? undefined : () => tooMuch(folder, maxBytes),
        },
        signal,
      );
      const details = detailsOf(result, reel);
      if (media !== undefined) {
        await checkMedia(result, media, maxBytes);
        await use(media);
      }
      return details;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    resolve: (reel, signal) => ask(reel, signal, "details", () => Promise.resolve()),
    fetch: (reel, file, signal) => ask(reel, signal, "media", (media) => copyFile(media, file)),
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

async function tooMuch(folder: string, maxBytes: number): Promise<string | undefined> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))));
  return sizes.some((size) => size !== undefined && size > maxBytes) ? tooLarge : undefined;
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

function detailsOf(result: ProgramResult, reel: ReelAddress): ReelDetails {
  if (result.ended === tooLarge) throw new SourceFailure("tooLarge", `yt-dlp was ended: ${tooLarge}`);
  if (result.ended !== undefined) throw new SourceFailure("unreachable", `yt-dlp was ended: ${result.ended}`);
  const details = ytDlpDetails(result.output, reel);
  if (details === undefined) throw ytDlpFailure(result.complaints);
  return details;
}

/** The exit code says little: a download that broke off may end like a good one, but its file keeps another name. */
async function checkMedia(result: ProgramResult, media: string, maxBytes: number): Promise<void> {
  const size = await sizeOf(media);
  if (size === undefined && /^ERROR/m.test(result.complaints)) throw ytDlpFailure(result.complaints);
  // A file that is announced as too large is left out without a word.
  if (size === undefined || size > maxBytes)
    throw new SourceFailure("tooLarge", `yt-dlp left out a file over ${maxBytes}`);
  if (size === 0) throw new SourceFailure("unreachable", "yt-dlp wrote an empty file");
}
