import { spawn } from "node:child_process";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { operatorAccess } from "../../src/admin/operator-access.ts";
import { runAdmin } from "../../src/admin/run-admin.ts";

const server = fileURLToPath(new URL("../..", import.meta.url));
export const adminProgram = path.join(server, "bin/reelscript-admin.js");
export const clientProgram = path.join(server, "../client/bin/reelscript.js");

interface Place {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Carries out one of the operator's command lines as its program does, without the second that a process takes to start. */
async function operate(args: readonly string[], { directory, environment }: Place) {
  let [stdout, stderr] = ["", ""];
  const streams = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { isTTY: false, write: (text: string) => (stderr += text) },
    stdin: Readable.from([]),
  };
  const code = await runAdmin(
    args,
    () => operatorAccess({ INIT_CWD: directory, ...environment }, streams.stderr),
    streams,
  );
  return { stdout, stderr, code, lastLine: stdout.trimEnd().split("\n").at(-1)! };
}

/**
 * Runs one command line in `directory`, with nothing in the environment but `environment` and an empty PATH. Without a program
 * it is the operator's, in this process.
 */
export async function runProgram(
  program: string | undefined,
  args: readonly string[],
  { directory, environment }: Place,
) {
  if (program === undefined) return operate(args, { directory, environment });
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: { PATH: "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { stdout, stderr, code, lastLine: stdout.trimEnd().split("\n").at(-1)! };
}
