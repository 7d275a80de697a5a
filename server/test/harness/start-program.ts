import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { placeMigratedDatabase } from "./migrated-database.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The environment of a user's shell, because the test runner sets variables that are also settings of the service. */
export const plainEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  INIT_CWD: root,
});

const dockerfile = readFileSync(path.join(root, "deploy/Dockerfile"), "utf8");
const partsOf = (instruction: string): string[] =>
  JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, "m").exec(dockerfile)![1]!);

/** The image's command, which begins with its process 1. */
export const imageCommand: readonly string[] = [...partsOf("ENTRYPOINT"), ...partsOf("CMD")];

/** Settings for a service without recognition: loading the model would take most of its start. */
export const noModel = { TRANSCRIBER: "openai", OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "none" };

export interface Program {
  readonly child: ChildProcess;
  /** Everything printed so far, without color codes. */
  readonly printed: () => string;
  /** The service's URL, the key created on its first start, and its stand-in's URL, as printed by the program. */
  readonly url: string;
  readonly key: string;
  readonly standin: string;
  /** Sends the signal and waits until the process exits. */
  end(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<{ code: number | null; seconds: number }>;
}

/** Starts programs on one data directory; all are stopped after the surrounding tests. */
export function programsOfTests(dataDirectory: string): typeof startProgram {
  const programs: Program[] = [];
  afterAll(async () => {
    for (const program of programs) await program.end("SIGKILL");
  });
  return async (environment, command) => {
    const program = await startProgram({ DATA_DIR: dataDirectory, ...environment }, command);
    programs.push(program);
    return program;
  };
}

/** The command of `npm start`: builds changed parts, then starts. */
export const startCommand = [process.execPath, "scripts/start.mjs"] as const;

/**
 * Starts the compiled service, or another command, and waits until it is ready or exits. Without a command, an embedded
 * database with all tables is copied to `DATA_DIR`; `npm start` creates its own.
 */
export async function startProgram(
  environment: Record<string, string>,
  command?: readonly [string, ...string[]],
): Promise<Program> {
  const { DATA_DIR, DATABASE_URL } = environment;
  if (command === undefined && DATA_DIR !== undefined && DATABASE_URL === undefined)
    await placeMigratedDatabase(DATA_DIR);
  // No test runs long enough for the database's compiled code to pay off.
  const [file, ...parameters] = command ?? [process.execPath, "--liftoff-only", "server/bin/reelscript-service.js"];
  const child = spawn(file, parameters, {
    cwd: root,
    // The recognizer's threads wait for each other by spinning, which costs a third more on cores that other processes use,
    // too.
    env: { ...plainEnvironment(), PORT: "0", STANDIN: "1", STANDIN_PORT: "0", WHISPER_THREADS: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const ended = once(child, "exit");
  // A process's last output may arrive after it exits.
  const closed = once(child, "close");
  const up = new Promise<void>((resolve) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (text.includes("Ctrl-C stops.")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
  });
  await Promise.race([up.then(() => isReady(child, text)), closed]);
  const firstGroup = (pattern: RegExp): string =>
    pattern.exec(text)?.[1] ?? expect.fail(`${pattern} is not in:\n${text}`);
  return {
    child,
    printed: () => text,
    get url() {
      return firstGroup(/REST\s+(\S+)\/api\/v1/);
    },
    get key() {
      return firstGroup(/your key\s+(svc_sk_\w{49})/);
    },
    get standin() {
      return firstGroup(/stand-in\s+(\S+)/);
    },
    async end(signal) {
      const started = performance.now();
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await ended;
      return { code: child.exitCode, seconds: (performance.now() - started) / 1_000 };
    },
  };
}

/** A process that only works the queue has no address, and is ready when it says that it has started. */
async function isReady(child: ChildProcess, printed: string): Promise<void> {
  const url = /REST\s+(\S+)\/api\/v1/.exec(printed)?.[1];
  while (url !== undefined && child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await pause(100);
  }
}
