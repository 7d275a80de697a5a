import { execFile, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { DecoderEngine } from "./decoder-engine.ts";
import { ffmpegArguments } from "./ffmpeg-arguments.ts";
import type { LimitedCommand } from "./child-limits.ts";

const run = promisify(execFile);

/** A machine that is busy with much else takes long to start any program. */
const probeMilliseconds = 60_000;

/** Rejects when the program at `path` does not run or cannot do what is needed. */
export async function createSystemFfmpeg(
  file: string,
  limit: (command: readonly string[]) => LimitedCommand,
): Promise<DecoderEngine> {
  const program = path.resolve(file);
  const probe = { env: {}, timeout: probeMilliseconds };
  const { stdout: versionText } = await run(program, ["-hide_banner", "-version"], probe);
  const version = /^ffmpeg version n?(\d+(?:\.\d+)*|\S+)/.exec(versionText)?.[1];
  const { stdout: muxer } = await run(program, ["-hide_banner", "-h", "muxer=matroska"], probe);
  if (version === undefined || !muxer.startsWith("Muxer matroska")) throw new Error(`${program} is no usable ffmpeg`);
  const privateFolder = await mkdtemp(path.join(tmpdir(), "reelscript-decode-"));

  return {
    description: `ffmpeg ${version} (${program})`,
    start(job) {
      const command = [
        program,
        ...ffmpegArguments({ ...job, input: `file:${path.resolve(job.path)}`, output: "pipe:1" }),
      ];
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
