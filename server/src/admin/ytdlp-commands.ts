import * as z from "zod";
import { describeYtDlp, oldYtDlpDays, releaseOf, type YtDlpProgram } from "../adapters/ytdlp/describe-ytdlp.ts";
import { findYtDlp, installYtDlp, newest, pinnedYtDlp } from "../adapters/ytdlp/install-ytdlp.ts";
import { AdminError } from "./admin-error.ts";
import { type CommandAccess, field, labeledLines, localCommand } from "./command.ts";

const install = (version: string, { config, clock, say }: CommandAccess): Promise<YtDlpProgram> =>
  installYtDlp(version, { ...config, now: clock.now(), say });

const installedText = (program: YtDlpProgram): string =>
  `${statusText(program)}\n\nThe service uses it from now on; if it had none at its start, restart it.`;

/** The commands on the yt-dlp of the data directory. */
export const ytDlpCommands = [
  localCommand({
    words: "ytdlp install",
    summary: `Install yt-dlp ${pinnedYtDlp} in the data directory, with Python's venv and the package index`,
    fields: {},
    example: "ytdlp install",
    run: (_input, access) => install(pinnedYtDlp, access),
    text: installedText,
  }),
  localCommand({
    words: "ytdlp update",
    summary: "Update that yt-dlp to the newest release or a given one; a failed update keeps the old one",
    fields: { version: field("version", "A release (the newest unless given)", z.string().default(newest)) },
    operand: "version",
    example: `ytdlp update ${pinnedYtDlp}`,
    async run({ version }, access) {
      if (version !== newest && releaseOf(version) === undefined)
        throw new AdminError("usage", `a version is the day of a release, such as ${pinnedYtDlp}`);
      return install(version, access);
    },
    text: installedText,
  }),
  localCommand({
    words: "ytdlp status",
    summary: "Show which yt-dlp the service uses, its age, and whether it can impersonate browsers",
    fields: {},
    example: "ytdlp status",
    async run(_input, { config: { dataDirectory, searchPath = "", ytdlp }, clock }) {
      const program = await findYtDlp({ configured: ytdlp.path, dataDirectory, searchPath });
      if (program === undefined) throw new Error('yt-dlp is not installed. "reelscript ytdlp install" installs it.');
      return describeYtDlp(program, { searchPath, now: clock.now() });
    },
    text: (program) => statusText(program),
  }),
];

const statusText = (program: YtDlpProgram): string =>
  [
    labeledLines({
      Path: program.path,
      Version: `${program.version}, ${program.ageDays === 1 ? "1 day" : `${program.ageDays} days`} old`,
      Targets: `${program.impersonationTargets} browsers to impersonate`,
    }),
    ...(program.ageDays >= oldYtDlpDays ? ['It is old: "reelscript ytdlp update" installs the newest.'] : []),
    ...(program.impersonationTargets === 0
      ? ['It lacks curl_cffi, and most reels are hidden from it: "reelscript ytdlp install" installs both.']
      : []),
  ].join("\n\n");
