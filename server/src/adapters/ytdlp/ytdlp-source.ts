import { constants, createWriteStream } from "node:fs";
import { type FileHandle, lstat, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { ReelAddress, ReelDetails, ReelSource } from "../../ports.ts";
import type { Proxy } from "../guarded-fetch/guarded-fetch.ts";
import { directExits, type Exits, type OpenExit, platformBusy } from "../platforms/exits.ts";
import { type Platform, reelAddress, type YtDlpManners } from "../platforms/platform.ts";
import { SourceFailure } from "../platforms/source-failure.ts";
import { createFairLine } from "../../rules/fair-line.ts";
import { ytDlpEnvironment } from "./describe-ytdlp.ts";
import { type ProgramResult, type ProgramRun, runProgram } from "./run-program.ts";
import { ytDlpArguments } from "./ytdlp-arguments.ts";
import { ytDlpDetails } from "./ytdlp-details.ts";
import { AskedToWait, ytDlpFailure, ytDlpMachineFault } from "./ytdlp-failure.ts";

export interface YtDlpSettings {
  /** The program's path, from `findYtDlp`. */
  readonly path: string;
  /** Folders with the program's interpreter, in the form of `PATH`. */
  readonly searchPath: string;
  /** In Netscape's format; yt-dlp gets a copy, so that the file doesn't change. */
  readonly cookiesFile?: string | undefined;
  /** Each run uses a new folder here. Default: the system's temporary folder. */
  readonly workDirectory?: string | undefined;
  /** Default 45 for details and 180 with the media. */
  readonly seconds?: { readonly resolve: number; readonly fetch: number } | undefined;
  readonly maxBytes: number;
  readonly platform: Platform;
  /** Without them the platform is reached directly. */
  readonly exits?: Exits | undefined;
}

/** A page and two queries. */
const requests = 3;
/** Programs per platform that may run for waiting people: where requests aren't paced, nothing else limits them. */
const resolving = { atATime: 8, perOwner: 2, waiting: 0, refusal: () => platformBusy() };
const tooLarge = "its file grew too large";
const mostFiles = 1_000;
const outputBytes = 8 * 1024 * 1024;

/** Fetches reels by the yt-dlp program. Like any `ReelSource`, but throws `SourceFailure` (or the reason of the signal). */
export function createYtDlpSource(options: YtDlpSettings): ReelSource {
  const { path: program, searchPath, maxBytes, platform, seconds = { resolve: 45, fetch: 180 } } = options;
  const { exits = directExits } = options;

  /** Also downloads the media when a `file` is given. */
  async function ask(
    reel: ReelAddress,
    signal: AbortSignal,
    { proxy, intervalSeconds }: OpenExit,
    file?: string,
  ): Promise<ReelDetails> {
    if (reel.url !== reelAddress(platform, reel.shortcode)?.url || !reel.url.startsWith("https:"))
      throw new SourceFailure("changed", "yt-dlp is given canonical https URLs only");
    const folder = await mkdtemp(path.join(options.workDirectory ?? tmpdir(), "reelscript-ytdlp-"));
    const media = file && path.join(folder, "media");
    try {
      const cookiesFile = await copyCookies(options.cookiesFile, folder);
      const printed = await run(
        {
          program,
          arguments: ytDlpArguments({
            url: reel.url,
            manners: platform.ytDlp,
            file: media,
            maxBytes,
            cookiesFile,
            intervalSeconds,
          }),
          folder,
          environment: {
            ...ytDlpEnvironment(folder, searchPath),
            // Everybody on this machine could read arguments.
            ...(proxy && { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }),
          },
          seconds: (media === undefined ? seconds.resolve : seconds.fetch) + requests * intervalSeconds,
          outputBytes,
          watch: media === undefined ? undefined : () => tooMuch(folder, maxBytes),
        },
        signal,
      );
      const result = proxy ? { ...printed, complaints: withoutCredentials(printed.complaints, proxy) } : printed;
      const details = detailsOf(result, reel, platform.ytDlp);
      if (file !== undefined && media !== undefined) {
        const opened = await openMedia(result, media, maxBytes, platform.ytDlp);
        await pipeline(opened.createReadStream({ end: maxBytes }), createWriteStream(file));
      }
      return details;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  const visit = { turns: requests, evenResting: true } as const;
  const line = createFairLine(resolving);
  return {
    resolve: (reel, signal, accountId = "") =>
      line.run(accountId, () =>
        exits.use({ ...visit, signal, hurriedFor: accountId }, (exit) => ask(reel, signal, exit)),
      ),
    async fetch(reel, file, signal, contact) {
      try {
        return await exits.use({ ...visit, signal, onWait: contact?.onWait }, (exit) => ask(reel, signal, exit, file));
      } catch (error) {
        if (error instanceof AskedToWait) contact?.onRest?.(true);
        throw error;
      }
    },
  };
}

async function run(program: ProgramRun, signal: AbortSignal): Promise<ProgramResult> {
  try {
    return await runProgram(program, signal);
  } catch (error) {
    // Without memory or files for another process, the machine is at fault.
    if (signal.aborted || (error instanceof Error && "syscall" in error)) throw error;
    throw new SourceFailure("installation", "yt-dlp could not be started", error);
  }
}

function withoutCredentials(text: string, { url }: Proxy): string {
  const { username, password } = new URL(url);
  const secrets = [username, password].flatMap((secret) => [secret, decodeURIComponent(secret)]);
  return secrets.reduce((left, secret) => (secret === "" ? left : left.replaceAll(secret, "…")), text);
}

async function copyCookies(cookiesFile: string | undefined, folder: string): Promise<string | undefined> {
  if (cookiesFile === undefined) return undefined;
  const cookies = await readFile(cookiesFile).catch((error: unknown) => {
    throw new SourceFailure("unreachable", "the cookies for yt-dlp could not be read", error);
  });
  const copy = path.join(folder, "cookies.txt");
  await writeFile(copy, cookies, { mode: 0o600 });
  return copy;
}

async function tooMuch(folder: string, maxBytes: number): Promise<string | undefined> {
  // Cookies and other files that the program writes count too.
  const entries = await readdir(folder, { recursive: true });
  if (entries.length > mostFiles) return tooLarge;
  let bytes = 0;
  for (const entry of entries) bytes += (await sizeOf(path.join(folder, entry))) ?? 0;
  return bytes > maxBytes ? tooLarge : undefined;
}

async function sizeOf(file: string): Promise<number | undefined> {
  return lstat(file).then(
    (stats) => (stats.isDirectory() ? 0 : stats.size),
    () => undefined,
  );
}

const failureOf = ({ complaints }: ProgramResult, { meanings }: YtDlpManners): Error =>
  ytDlpMachineFault(complaints) ?? ytDlpFailure(complaints, meanings);

function detailsOf(result: ProgramResult, reel: ReelAddress, manners: YtDlpManners): ReelDetails {
  if (result.ended === tooLarge) throw new SourceFailure("tooLarge", `yt-dlp was ended: ${tooLarge}`);
  if (result.ended !== undefined) throw new SourceFailure("unreachable", `yt-dlp was ended: ${result.ended}`);
  const details = ytDlpDetails(result.output, reel, manners);
  // yt-dlp skips a filtered video without a message.
  if (details === undefined && manners.hasLongVideos && result.exitCode === 0)
    throw new SourceFailure("tooLong", "yt-dlp passed over a long or live video");
  if (details === undefined) throw failureOf(result, manners);
  return details;
}

/** The exit code isn't reliable: an interrupted download may end with success, but its file keeps another name. */
async function openMedia(
  result: ProgramResult,
  file: string,
  maxBytes: number,
  manners: YtDlpManners,
): Promise<FileHandle> {
  // A link could point to any file of the service, and a pipe would block the reader.
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new SourceFailure("unreachable", "yt-dlp wrote something else than a file", error);
    },
  );
  try {
    const stats = await opened?.stat();
    if (!stats?.size && /^ERROR/m.test(result.complaints)) throw failureOf(result, manners);
    // yt-dlp skips a file whose announced size is too large without a message.
    if (opened === undefined || stats === undefined || stats.size > maxBytes)
      throw new SourceFailure("tooLarge", `yt-dlp left out a file over ${maxBytes}`);
    if (!stats.isFile() || stats.nlink !== 1)
      throw new SourceFailure("unreachable", "yt-dlp wrote something else than a file");
    if (stats.size === 0) throw new SourceFailure("unreachable", "yt-dlp wrote an empty file");
    return opened;
  } catch (error) {
    await opened?.close();
    throw error;
  }
}
