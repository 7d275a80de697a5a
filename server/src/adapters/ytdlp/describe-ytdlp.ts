import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runProgram } from "./run-program.ts";

export interface YtDlpProgram {
  readonly path: string;
  /** Its release date in its own format: 2026.10.26. */
  readonly version: string;
  readonly ageDays: number;
  /** Number of browsers whose handshakes it can imitate. Without any, the platform hides most of its data. */
  readonly impersonationTargets: number;
}

interface YtDlpSurroundings {
  /** Folders in which it finds other programs, as in PATH. */
  readonly searchPath: string;
  readonly now: Date;
}

/** A version older than this probably predates changes of the platform. */
export const oldYtDlpDays = 90;

const secondsToAnswer = 20;
const outputBytes = 256 * 1024;
const dayMilliseconds = 24 * 60 * 60_000;

/** Runs the program to find out. Throws an error for the operator. */
export async function describeYtDlp(program: string, { searchPath, now }: YtDlpSurroundings): Promise<YtDlpProgram> {
  const folder = await mkdtemp(path.join(tmpdir(), "reelscript-ytdlp-"));
  const ask = async (flag: string): Promise<string> => {
    const { exitCode, output, complaints, ended } = await runProgram({
      program,
      arguments: ["--no-config", flag],
      folder,
      environment: ytDlpEnvironment(folder, searchPath),
      seconds: secondsToAnswer,
      outputBytes,
    });
    if (exitCode === 0 && ended === undefined) return output;
    throw new Error(
      `yt-dlp at ${program} does not work: ${ended ?? (lastLine(complaints) || `it ended with ${exitCode}`)}`,
    );
  };
  try {
    const [printed, targets] = await Promise.all([ask("--version"), ask("--list-impersonate-targets")]);
    const version = lastLine(printed);
    const released = releaseOf(version);
    if (released === undefined)
      throw new Error(`yt-dlp at ${program} says no version, but "${version.slice(0, 100)}".`);
    return {
      path: program,
      version,
      ageDays: Math.max(0, Math.floor((now.getTime() - released) / dayMilliseconds)),
      impersonationTargets: availableTargets(targets),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** It reads and writes nothing outside its folder. */
export const ytDlpEnvironment = (folder: string, searchPath: string) => ({
  PATH: searchPath,
  HOME: folder,
  TMPDIR: folder,
  LC_ALL: "C.UTF-8",
  YTDLP_NO_PLUGINS: "1",
});

/** The time of a release; PyPI writes 2026.8.19 where the program prints 2026.08.19. */
export function releaseOf(version: string): number | undefined {
  const [, year, month, day] = /^(20\d\d)\.(\d{1,2})\.(\d{1,2})(?:\.\d{1,9})?$/.exec(version) ?? [];
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/** A table below a line of dashes. */
function availableTargets(table: string): number {
  const rows = table.split("\n").map((line) => line.trim());
  return rows
    .slice(rows.findIndex((row) => /^-{10,}$/.test(row)) + 1)
    .filter((row) => row !== "" && !row.startsWith("[") && !row.includes("unavailable")).length;
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1)!.trim().slice(0, 500);

export const repairYtDlp = 'Run "npx --no-install reelscript ytdlp install".';

/** Describes the program to the operator at the start; hints say how to fix problems. */
export async function introduceYtDlp(
  program: string,
  surroundings: YtDlpSurroundings,
  onHint: (hint: string) => void,
): Promise<string> {
  try {
    const { version, ageDays, impersonationTargets } = await describeYtDlp(program, surroundings);
    if (impersonationTargets === 0)
      onHint(`yt-dlp at ${program} can't impersonate a browser, so most reels are hidden from it. ${repairYtDlp}`);
    if (ageDays >= oldYtDlpDays)
      onHint(
        `yt-dlp ${version} is ${ageDays} days old, and platforms change. Run "npx --no-install reelscript ytdlp update".`,
      );
    return `yt-dlp ${version} (${ageDays === 1 ? "1 day" : `${ageDays} days`} old) at ${program}`;
  } catch (error) {
    onHint(`${error instanceof Error ? error.message : String(error)} ${repairYtDlp}`);
    return `yt-dlp at ${program}, which does not work`;
  }
}
