import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { buildClient, clientFolder } from "./build-client.ts";

const program = path.join(clientFolder, "bin/reelscript.js");

/** Runs the command line against a service. */
export function createProgram(serviceUrl: string) {
  buildClient();
  function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: "", REELSCRIPT_URL: serviceUrl, REELSCRIPT_API_KEY: "svc_sk_example", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const finished = Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once("close", resolve)),
    ]).then(([stdout, stderr, code]) => ({ stdout, stderr, code }));
    return { child, finished };
  }
  return {
    start,
    run: (args: readonly string[], environment?: Readonly<Record<string, string>>) => start(args, environment).finished,
  };
}
