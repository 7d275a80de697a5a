import { execFile, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { DecoderEngine } from "./decoder-engine.ts";
import { ffmpegArguments } from "./ffmpeg-arguments.ts";
import type { LimitedCommand } from "./limited-command.ts";

const run = promisify(execFile);

const PROBE_MILLISECONDS = 10_000;

/** Rejects when the program at `path` does not run or cannot do what is needed. */
export async function createSystemFfmpeg(
  path: string,
  limit: (command: readonly string[]) => LimitedCommand,
): Promise<DecoderEngine> {
  const program = resolve(path);
  const probe = { env: {}, timeout: PROBE_MILLISECONDS };
  const { stdout: versionText } = await run(program, ["-hide_banner", "-version"], probe);
  const version = /^ffmpeg version n?(\d+(?:\.\d+)*|\S+)/.exec(versionText)?.[1];
  const { stdout: muxer } = await run(program, ["-hide_banner", "-h", "muxer=f32le"], probe);
  if (version === undefined || !muxer.startsWith("Muxer f32le")) throw new Error(`${program} is no usable ffmpeg`);
  const privateFolder = await mkdtemp(join(tmpdir(), "reelscript-decode-"));

  return {
    description: `ffmpeg ${version} (${program})`,
    start(job) {
      const command = [program, ...ffmpegArguments({ ...job, input: `file:${resolve(job.path)}`, output: "pipe:1" })];
      const limited = limit(command);
      // Systems clear their temporary folders of what is old.
      mkdirSync(privateFolder, { recursive: true, mode: 0o700 });
      return spawn(limited.program, limited.parameters, {
        cwd: privateFolder,
        env: {},
        stdio: ["ignore", "pipe", "pipe"],
      });
    },
    close: () => rm(privateFolder, { recursive: true, force: true }),
  };
}
