import { spawn } from "node:child_process";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { OperatorAccess } from "../../src/admin/command.ts";
import { operatorAccess } from "../../src/admin/operator-access.ts";
import { runAdmin } from "../../src/admin/run-admin.ts";

const server = fileURLToPath(new URL("../..", import.meta.url));
export const adminProgram = path.join(server, "bin/reelscript-admin.js");
const clientProgram = path.join(server, "../client/bin/reelscript.js");

/** Threads of a recognizer wait for each other by spinning, which costs most on cores that other processes use, too. */
const oneThread = { WHISPER_THREADS: "1" };

interface Place {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}
interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

const withLastLine = (outcome: Outcome) => ({
  ...outcome,
  lastLine: outcome.stdout.trimEnd().split("\n").at(-1)!,
});

/** Carries out one of the operator's command lines as its program does, without the second that a process takes to start. */
export async function operate(
  args: readonly string[],
  { directory, environment }: Place,
  changes: Partial<OperatorAccess> = {},
) {
  let stdout = "";
  let stderr = "";
  const streams = {
    stdout: { write: (more: string) => (stdout += more) },
    stderr: { isTTY: false, write: (more: string) => (stderr += more) },
    stdin: Readable.from([]),
  };
  const access = () => ({
    ...operatorAccess({ INIT_CWD: directory, ...oneThread, ...environment }, streams.stderr),
    ...changes,
  });
  const code = await runAdmin(args, access, streams);
  return withLastLine({ stdout, stderr, code });
}

/** Runs a command through the client's command line, which starts the operator's program, with an empty PATH. */
export async function runClient(args: readonly string[], { directory, environment }: Place, input = "") {
  const child = spawn(process.execPath, [clientProgram, ...args], {
    cwd: directory,
    env: { PATH: "", ...environment },
    stdio: "pipe",
  });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return withLastLine({ stdout, stderr, code });
}
