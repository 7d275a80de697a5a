import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
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
  /** Everything printed so far, without colors. */
  readonly printed: () => string;
  /** Sends the signal and waits for the end. */
  end(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<{ code: number | null; seconds: number }>;
}

/** Starts the service as a user does, or by another command, and waits until it is ready for calls or ends. */
export async function startProgram(
  environment: Record<string, string>,
  [file, ...parameters]: readonly [string, ...string[]] = [process.execPath, "scripts/start.mjs"],
): Promise<Program> {
  const child = spawn(file, parameters, {
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
  await Promise.race([up.then(() => isReady(text)), ended]);
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

/** A process that only works the queue has no address, and is ready when it says that it is up. */
async function isReady(printed: string): Promise<void> {
  const url = /REST\s+(\S+)\/api\/v1/.exec(printed)?.[1];
  for (let tries = 0; url !== undefined && tries < 100; tries += 1) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await pause(100);
  }
}
