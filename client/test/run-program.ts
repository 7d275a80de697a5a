import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { runCommandLine } from "../src/cli/run-command-line.ts";
import type { Surroundings } from "../src/cli/surroundings.ts";
import { buildClient, clientFolder } from "./build-client.ts";

const program = path.join(clientFolder, "bin/reelscript.js");

/** Runs the command line in this process; `stderr` may be a terminal. */
export async function runHere(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  stderr?: Surroundings["stderr"],
) {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof printed) => ({ write: (written: string) => (printed[name] += written) });
  const { signal } = new AbortController();
  const streams = { stdout: stream("stdout"), stderr: stderr ?? stream("stderr") };
  const code = await runCommandLine(args, { environment, ...streams, signal });
  return { code, ...printed };
}

/** The command line against a service: `run` in this process, `start` as a program of its own. */
export function createProgram(serviceUrl: string) {
  buildClient();
  const usual = { PATH: "", REELSCRIPT_URL: serviceUrl, REELSCRIPT_API_KEY: "svc_sk_example" };
  return {
    run: (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
      runHere({ ...usual, ...environment }, args),
    start(args: readonly string[]) {
      const child = spawn(process.execPath, [program, ...args], { env: usual, stdio: ["ignore", "pipe", "pipe"] });
      const finished = Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise<number | null>((resolve) => child.once("close", resolve)),
      ]).then(([stdout, stderr, code]) => ({ stdout, stderr, code }));
      return { child, finished };
    },
  };
}
