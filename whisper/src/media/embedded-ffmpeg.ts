import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { DecodeJob, DecoderEngine } from "./decoder-engine.ts";
import type { EmbeddedJobHeader } from "./embedded-ffmpeg-protocol.ts";
import { childProgram, keepParent, type LimitedCommand } from "./child-limits.ts";
import { unavailable } from "../whisper-error.ts";
import { ffmpegArguments } from "./ffmpeg-arguments.ts";

const loaderFile = fileURLToPath(import.meta.resolve("@ffmpeg/core"));
const wasmFile = fileURLToPath(import.meta.resolve("@ffmpeg/core/wasm"));
const heapBytes = 512 * 1024 ** 2;
/** Samples come faster than they are recognized: a child that starts right after a file would take the recognizer's time. */
const restMilliseconds = 2_000;

const program = childProgram("embedded-ffmpeg-child", import.meta.url);

/**
 * Keeps one child started, compiled and waiting, so that its start is not paid for by the file. `limit` puts a
 * command under a limit of processor time, for a child that hangs after its parent has been killed.
 */
export function createEmbeddedFfmpeg(limit: (command: readonly string[]) => LimitedCommand): DecoderEngine {
  const running = new Set<ChildProcess>();
  let isClosed = false;
  let warm: ChildProcess | undefined = startChild();
  let rest: NodeJS.Timeout | undefined;

  function startChild(): ChildProcess {
    const limited = limit([process.execPath, ...childParameters()]);
    const child = spawn(limited.program, limited.parameters, { env: {}, stdio: ["pipe", "pipe", "pipe"] });
    keepParent(child, false);
    running.add(child);
    child.once("error", () => running.delete(child));
    child.once("exit", () => {
      running.delete(child);
      if (warm === child) warm = undefined;
    });
    child.stdin?.on("error", () => undefined);
    return child;
  }

  return {
    description: "embedded ffmpeg 5.1.4",
    start(job) {
      if (isClosed) throw unavailable("The decoder is closed.");
      const child = warm ?? startChild();
      warm = undefined;
      keepParent(child, true);
      clearTimeout(rest);
      child.once("close", () => {
        clearTimeout(rest);
        if (isClosed) return;
        rest = setTimeout(() => {
          warm ??= startChild();
        }, restMilliseconds).unref();
      });
      send(job, child);
      return child;
    },
    async close() {
      isClosed = true;
      clearTimeout(rest);
      await Promise.all([...running].map(end));
    },
  };
}

/** Waits for the end of the process only: samples that nobody reads keep its output open. */
async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

function childParameters(): string[] {
  const permission = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission";
  const readable = [program, path.join(path.dirname(program), "embedded-ffmpeg-protocol.js"), loaderFile, wasmFile];
  return [
    "--no-warnings",
    // A reel ends before optimized code pays for its compilation. (15 minutes of sound take 5 seconds instead of 3.)
    "--liftoff-only",
    permission,
    ...readable.map((filePath) => `--allow-fs-read=${filePath}`),
    program,
    loaderFile,
    wasmFile,
    String(heapBytes),
  ];
}

function send(job: DecodeJob, child: ChildProcess): void {
  const header: EmbeddedJobHeader = {
    parameters: ffmpegArguments({ ...job, input: "file:/media", output: "/samples" }),
    bytes: job.bytes,
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headerBytes.length);
  const { stdin } = child;
  if (stdin === null) return;
  stdin.write(Buffer.concat([length, headerBytes]));
  const file = createReadStream(job.path, { end: job.bytes - 1, highWaterMark: 1024 ** 2 });
  file.once("error", () => {
    child.kill("SIGKILL");
  });
  child.once("close", () => file.destroy());
  file.pipe(stdin);
}
