import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export const hasHaproxy = spawnSync("haproxy", ["-v"]).status === 0;

/** Appended to test names, so that nobody mistakes skipped tests for passed ones. */
export const unlessHaproxy = hasHaproxy
  ? ""
  : " (skipped: no haproxy. Install it, on Debian with `apt install haproxy`)";

export interface Haproxy {
  readonly process: ChildProcess;
  end(): Promise<void>;
}

/** Runs HAProxy with a configuration in several parts, each a file's path or a text. `port` is one on which it will listen. */
export async function startHaproxy(
  parts: readonly string[],
  port: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<Haproxy> {
  const folder = await mkdtemp(path.join(tmpdir(), "haproxy-"));
  const files = await Promise.all(
    parts.map(async (part, index) => {
      if (!part.includes("\n")) return part;
      const file = path.join(folder, `${index}.cfg`);
      await writeFile(file, part);
      return file;
    }),
  );
  const child = spawn("haproxy", ["-db", ...files.flatMap((file) => ["-f", file])], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${complaint}`);
    await pause(20);
  }
  return {
    process: child,
    async end() {
      const ended = child.exitCode === null ? once(child, "exit") : undefined;
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
