import { execFile, spawn } from "node:child_process";
import { access, constants, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { DecoderEngine } from "./decoder-engine.ts";
import { ffmpegArguments } from "./ffmpeg-arguments.ts";

const run = promisify(execFile);

const ADDRESS_SPACE_BYTES = 2 * 1024 ** 3;
const PROBE_MILLISECONDS = 10_000;

/** First executable of that name in a list of folders as in PATH, or `null`. */
export async function findExecutable(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, name);
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return null;
}

/** Rejects when the program at `path` does not run or cannot do what is needed. */
export async function createSystemFfmpeg(path: string, searchPath: string): Promise<DecoderEngine> {
  const program = resolve(path);
  const probe = { env: {}, timeout: PROBE_MILLISECONDS };
  const { stdout: versionText } = await run(program, ["-hide_banner", "-version"], probe);
  const version = /^ffmpeg version n?(\d+(?:\.\d+)*|\S+)/.exec(versionText)?.[1];
  const { stdout: muxer } = await run(program, ["-hide_banner", "-h", "muxer=f32le"], probe);
  if (version === undefined || !muxer.startsWith("Muxer f32le")) throw new Error(`${program} is no usable ffmpeg`);
  const limiter = await findExecutable("prlimit", searchPath);
  const privateFolder = await mkdtemp(join(tmpdir(), "reelscript-decode-"));

  return {
    description: `ffmpeg ${version} (${program})`,
    start(job) {
      const command = [program, ...ffmpegArguments({ ...job, input: `file:${resolve(job.path)}`, output: "pipe:1" })];
      if (limiter !== null) {
        const cpuSeconds = Math.ceil(job.cpuSeconds);
        command.unshift(limiter, `--as=${ADDRESS_SPACE_BYTES}`, `--cpu=${cpuSeconds}`, "--core=0", "--");
      }
      const [executable = program, ...parameters] = command;
      return spawn(executable, parameters, { cwd: privateFolder, env: {}, stdio: ["ignore", "pipe", "pipe"] });
    },
    close: () => rm(privateFolder, { recursive: true, force: true }),
  };
}
