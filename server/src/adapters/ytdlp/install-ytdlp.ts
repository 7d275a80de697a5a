import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readlink, rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { findExecutable, isExecutable } from "@reelscript/whisper";
import { describeYtDlp, releaseOf, type YtDlpProgram } from "./describe-ytdlp.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";
import { ytDlpMachineFault } from "./ytdlp-failure.ts";

/** The version to install unless another one is named. */
export const pinnedYtDlp = "2026.10.26";

/** Its extra "default" is for other sites and for processing files, which the service doesn't do. */
const packageName = "yt-dlp[curl-cffi]";
/** Solves the challenges of YouTube's player; each yt-dlp accepts one version of it. */
const solverName = "yt-dlp-ejs";
const pinnedSolver = "0.8.0";
const current = "current";
const outputBytes = 4 * 1024 * 1024;
/** Longer than an installation may take. */
const abandonedMilliseconds = 60 * 60_000;

export interface InstallationOptions {
  readonly dataDirectory: string;
  /** In the form of `PATH`. */
  readonly searchPath?: string | undefined;
  /** The environment variables that pip may see. */
  readonly installerEnvironment: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  /** Receives progress messages for people. */
  readonly say: (message: string) => void;
  /** Default 120 for the environment and 480 for the download. */
  readonly seconds?: { readonly create: number; readonly download: number } | undefined;
}

/** The program's path in a data directory, if it is installed there. */
const installedYtDlp = (dataDirectory: string): string => path.join(dataDirectory, "ytdlp", current, "bin", "yt-dlp");

/**
 * The yt-dlp program: the one named by `configured`, else the one installed in the data directory, else the first on
 * `searchPath` (as in `PATH`), else `undefined`. Throws when `configured` names no program.
 */
export async function findYtDlp(locations: {
  readonly configured?: string | undefined;
  readonly dataDirectory?: string | undefined;
  readonly searchPath: string;
}): Promise<string | undefined> {
  const { configured, dataDirectory, searchPath } = locations;
  if (configured !== undefined) {
    if (await isExecutable(configured)) return configured;
    throw new Error(`no program is at ${configured}`);
  }
  const installed = dataDirectory === undefined ? undefined : installedYtDlp(dataDirectory);
  return installed !== undefined && (await isExecutable(installed)) ? installed : findExecutable("yt-dlp", searchPath);
}

/**
 * Installs a version, or the newest one, into its own virtual environment, and only then replaces the previous one, which stays
 * on the disk for reels that it is still fetching. A failure changes nothing. Throws an error for the operator.
 */
export async function installYtDlp(version: string, options: InstallationOptions): Promise<YtDlpProgram> {
  const { dataDirectory, searchPath = "", now, say, seconds = { create: 120, download: 480 } } = options;
  const home = path.join(dataDirectory, "ytdlp");
  const folder = path.join(home, randomUUID());
  const temporary = path.join(folder, "tmp");
  const run = (program: string, args: readonly string[], limit: number): Promise<ProgramResult> =>
    runProgram({
      program,
      arguments: args,
      folder,
      environment: { ...options.installerEnvironment, PATH: searchPath, TMPDIR: temporary },
      seconds: limit,
      outputBytes,
    });
  try {
    await mkdir(temporary, { recursive: true });
    say("Creating a virtual environment …");
    const created = await run("python3", ["-m", "venv", folder], seconds.create).catch((error: unknown) => {
      throw new Error("There is no python3 on PATH. Install Python 3.11 or later, then try again.", { cause: error });
    });
    if (hasFailed(created)) throw failedCreation(created);
    say(`Downloading yt-dlp ${version} …`);
    const downloaded = await run(path.join(folder, "bin", "python"), pipArguments(version), seconds.download);
    if (hasFailed(downloaded)) throw failedDownload(downloaded, version);
    const installed = await describeYtDlp(path.join(folder, "bin", "yt-dlp"), { searchPath, now });
    if (version !== newest && releaseOf(installed.version) !== releaseOf(version))
      throw new Error(`yt-dlp ${version} was installed, but it says that it is ${installed.version}.`);
    if (installed.impersonationTargets === 0)
      throw new Error(`yt-dlp ${installed.version} was installed, but it can't impersonate a browser.`);
    await rm(temporary, { recursive: true, force: true });
    await replace(home, folder);
    return { ...installed, path: installedYtDlp(dataDirectory) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT"))
      throw new Error(`The disk of ${home} is full.`, { cause: error });
    throw error;
  }
}

/** A version that stands for the newest one. */
export const newest = "newest";

/** Unpacks packages and never builds them: building would run their code, and needs a compiler. */
const pipArguments = (version: string): string[] => [
  ..."-m pip install --no-input --disable-pip-version-check --no-cache-dir --progress-bar off".split(" "),
  ..."--only-binary :all: --retries 2 --timeout 20".split(" "),
  version === pinnedYtDlp ? `${solverName}==${pinnedSolver}` : solverName,
  version === newest ? packageName : `${packageName}==${version}`,
];

const hasFailed = ({ exitCode, ended }: ProgramResult): boolean => exitCode !== 0 || ended !== undefined;

function failedCreation(result: ProgramResult): Error {
  const text = `${result.output}\n${result.complaints}`;
  if (/ensurepip is not|No module named '?(?:venv|ensurepip)/.test(text))
    return new Error("Python's venv is missing. On Debian and Ubuntu: apt install python3-venv");
  return unexpected("The virtual environment could not be created", result, text);
}

function failedDownload(result: ProgramResult, version: string): Error {
  const text = `${result.output}\n${result.complaints}`;
  if (/require a different python version|Requires-Python/i.test(text) && !offline.test(text))
    return new Error(`This Python is too old for yt-dlp ${version}. Install a newer Python 3, then try again.`);
  if (offline.test(text))
    return new Error(
      "The package index can't be reached. Check the network, or set PIP_INDEX_URL or https_proxy as your network needs.",
    );
  return unexpected(`yt-dlp ${version} could not be downloaded`, result, text);
}

const offline =
  /NewConnectionError|ConnectTimeout|ReadTimeout|NameResolutionError|name resolution|ProxyError|SSLError|Connection (?:refused|reset|aborted)|Network is unreachable/i;

function unexpected(what: string, { ended }: ProgramResult, text: string): Error {
  const fault = ytDlpMachineFault(text);
  if (fault !== undefined) return fault;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const reason = ended ?? lines.findLast((line) => /^\s*error/i.test(line)) ?? lines.at(-1) ?? "no reason was given";
  return new Error(`${what}: ${reason.trim().slice(0, 500)}`);
}

/** Replaces the link atomically, so that a start gets either the previous program or the new one. */
async function replace(home: string, folder: string): Promise<void> {
  const link = path.join(home, current);
  const before = await readlink(link).catch(() => undefined);
  const newLink = `${folder}.link`;
  await symlink(path.basename(folder), newLink);
  await rename(newLink, link);
  for (const name of await readdir(home)) {
    if ([current, before, path.basename(folder)].includes(name)) continue;
    const entryPath = path.join(home, name);
    const { mtimeMs } = await lstat(entryPath);
    if (Date.now() - mtimeMs > abandonedMilliseconds) await rm(entryPath, { recursive: true, force: true });
  }
}
