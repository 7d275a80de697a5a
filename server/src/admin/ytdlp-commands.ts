import { describeYtDlp, oldYtDlpDays, releaseOf, type YtDlpProgram } from "../adapters/ytdlp/describe-ytdlp.ts";
import { findYtDlp, installYtDlp, newest, pinnedYtDlp } from "../adapters/ytdlp/install-ytdlp.ts";
import type { Clock } from "../ports.ts";
import type { Config } from "../settings/config.ts";
import type { Syntax } from "./syntaxes.ts";
import { AdminError } from "./admin-error.ts";
import { labeledLines } from "./admin-text.ts";

export type YtDlpCommandName = "ytdlpInstall" | "ytdlpUpdate" | "ytdlpStatus";

export const isYtDlpCommand = (name: string): name is YtDlpCommandName => name.startsWith("ytdlp");

export const ytDlpSyntaxes: readonly Syntax<YtDlpCommandName>[] = [
  {
    words: ["ytdlp", "install"],
    command: "ytdlpInstall",
    summary: `Install yt-dlp ${pinnedYtDlp} in the data directory, with Python's venv and the package index`,
    flags: [],
    example: "ytdlp install",
  },
  {
    words: ["ytdlp", "update"],
    command: "ytdlpUpdate",
    summary: "Replace that yt-dlp by the newest one, or by a version; a failure keeps the old one",
    operand: { name: "version", value: "version", required: false, description: "A release (the newest unless given)" },
    flags: [],
    example: `ytdlp update ${pinnedYtDlp}`,
  },
  {
    words: ["ytdlp", "status"],
    command: "ytdlpStatus",
    summary: "Show which yt-dlp the service uses, its age, and whether it can impersonate browsers",
    flags: [],
    example: "ytdlp status",
  },
];

export interface YtDlpAccess {
  readonly config: Config;
  readonly clock: Clock;
  /** Told what is under way, for people. */
  readonly say: (message: string) => void;
}

/** Carries out a command on the yt-dlp of the data directory. Throws `AdminError`. */
export async function runYtDlpCommand(
  name: YtDlpCommandName,
  input: Readonly<Record<string, string>>,
  access: YtDlpAccess,
): Promise<YtDlpProgram> {
  const version = name === "ytdlpInstall" ? pinnedYtDlp : (input["version"] ?? newest);
  if (version !== newest && releaseOf(version) === undefined)
    throw new AdminError("usage", `a version is the day of a release, such as ${pinnedYtDlp}`);
  try {
    return await (name === "ytdlpStatus" ? status(access) : install(version, access));
  } catch (error) {
    throw new AdminError("refused", error instanceof Error ? error.message : String(error), error);
  }
}

async function status({ config, clock }: YtDlpAccess): Promise<YtDlpProgram> {
  const { dataDirectory, searchPath = "", ytdlp } = config;
  const program = await findYtDlp({ configured: ytdlp.path, dataDirectory, searchPath });
  if (program === undefined) throw new Error('yt-dlp is not installed. "reelscript ytdlp install" installs it.');
  return describeYtDlp(program, { searchPath, now: clock.now() });
}

const install = (version: string, { config, clock, say }: YtDlpAccess): Promise<YtDlpProgram> =>
  installYtDlp(version, { ...config, now: clock.now(), say });

/** The answer of a command for people. */
export const ytDlpText = (name: YtDlpCommandName, program: YtDlpProgram): string =>
  [
    ...labeledLines([
      ["Path", program.path],
      ["Version", `${program.version}, ${days(program.ageDays)} old`],
      ["Targets", `${program.impersonationTargets} browsers to impersonate`],
    ]),
    ...(program.ageDays >= oldYtDlpDays ? ["", 'It is old: "reelscript ytdlp update" installs the newest.'] : []),
    ...(program.impersonationTargets === 0
      ? ["", 'It lacks curl_cffi, and most reels are hidden from it: "reelscript ytdlp install" installs both.']
      : []),
    ...(name === "ytdlpStatus"
      ? []
      : ["", "The service uses it from now on; if it had none at its start, restart it."]),
  ].join("\n");

const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);
