import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What a user's shell has; the test runner sets variables that are settings of ours. */
export const plainEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  INIT_CWD: root,
});

export interface Program {
  readonly child: ChildProcess;
  /** Everything printed so far, without colours. */
  readonly printed: () => string;
  /** Sends the signal and waits for the end. */
  end(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<{ code: number | null; seconds: number }>;
}

/** Starts the service as a user does, and waits until it says that it is up or ends. */
export async function startProgram(environment: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: root,
    env: { ...plainEnvironment(), PORT: "0", STANDIN_PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const ended = once(child, "exit");
  const up = new Promise<void>((resolve) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (text.includes("Ctrl-C stops.")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
  });
  await Promise.race([up, ended]);
  return {
    child,
    printed: () => text,
    async end(signal) {
      const started = performance.now();
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await ended;
      return { code: child.exitCode, seconds: (performance.now() - started) / 1_000 };
    },
  };
}
