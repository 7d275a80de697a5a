import type { ChildProcess } from "node:child_process";
import { access, constants, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import os from "node:os";

export interface LimitedCommand {
  readonly program: string;
  readonly parameters: readonly string[];
}

interface CommandLimits {
  readonly cpuSeconds: number;
  /** Not for programs that reserve far more than they use, as those with a WebAssembly engine do. */
  readonly addressSpaceBytes?: number;
  /** The longest file that the program may write. */
  readonly fileBytes?: number;
  /** Memory that the program may write to, which Linux counts apart from what is only reserved. */
  readonly dataBytes?: number;
}

/** The file of a program of ours for a child process, beside the module at `url`. */
export const childProgram = (name: string, url: string): string => fileURLToPath(new URL(`${name}.js`, url));

/** A child that only waits keeps nobody alive; it ends by itself when its channel or input closes. */
export function keepParent(child: ChildProcess, keeps: boolean): void {
  const handles: readonly unknown[] = [child, child.channel, child.stdin, child.stdout, child.stderr];
  for (const handle of handles) {
    const { ref, unref } = (handle ?? {}) as { ref?: () => void; unref?: () => void };
    (keeps ? ref : unref)?.call(handle);
  }
}

/** A function that puts commands under limits of the system by `prlimit`, or leaves them as they are where there is none. */
export async function commandLimiter(
  searchPath: string,
  limits: CommandLimits,
): Promise<(command: readonly string[]) => LimitedCommand> {
  const prlimit = await findExecutable("prlimit", searchPath);
  const options = [`--cpu=${Math.ceil(limits.cpuSeconds)}`, "--core=0"];
  if (limits.addressSpaceBytes !== undefined) options.push(`--as=${limits.addressSpaceBytes}`);
  if (limits.fileBytes !== undefined) options.push(`--fsize=${limits.fileBytes}`);
  if (limits.dataBytes !== undefined) options.push(`--data=${limits.dataBytes}`);
  return (command) => {
    const [program = "", ...parameters] = prlimit === undefined ? command : [prlimit, ...options, "--", ...command];
    return { program, parameters };
  };
}

/** The first program of that name in a list of folders as in PATH. */
export async function findExecutable(name: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    const file = path.join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Answering calls goes before recognizing and decoding: a child that uses all cores would hold them up otherwise. */
export function lowerPriority(processId: number | undefined): void {
  if (processId === undefined) return;
  try {
    os.setPriority(processId, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system doesn't let us.
  }
}

const intervalMilliseconds = 100;

/**
 * Calls `onOverrun` once when the process holds more than `limitBytes` in memory. Where the system does not tell
 * (no /proc) nothing is watched and the limits inside the child are the only ones. Returns the function that stops.
 */
export function watchMemory(processId: number | undefined, limitBytes: number, onOverrun: () => void): () => void {
  if (processId === undefined || process.platform !== "linux") return () => undefined;
  const timer = setInterval(() => {
    void residentBytes(processId).then((bytes) => {
      if (bytes <= limitBytes) return;
      clearInterval(timer);
      onOverrun();
    });
  }, intervalMilliseconds);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

async function residentBytes(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, "latin1").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
