import { randomUUID } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { hostname } from "node:os";

/** Which process has a lock, as its file says. */
export interface LockHolder {
  readonly pid: number;
  /** Tells a process from a later one with the same id; null where the system does not say. */
  readonly startTime: string | null;
  readonly host: string;
  readonly since: string;
  readonly nonce: string;
}

/** What a lock's file holds, and when its holder last touched it, in milliseconds. */
export interface LockMark {
  readonly text: string;
  readonly holder: LockHolder | undefined;
  readonly touchedAt: number;
}

export const createHolder = async (): Promise<LockHolder> => ({
  pid: process.pid,
  startTime: (await processOf(process.pid))?.startTime ?? null,
  host: hostname(),
  since: new Date().toISOString(),
  nonce: randomUUID(),
});

/** `undefined` when the file is gone. */
export async function readMark(file: string): Promise<LockMark | undefined> {
  try {
    const text = await readFile(file, "utf8");
    return { text, holder: parseHolder(text), touchedAt: (await stat(file)).mtimeMs };
  } catch {
    return undefined;
  }
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const holder: unknown = JSON.parse(text);
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

const isHolder = (value: unknown): value is LockHolder =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  Number.isSafeInteger(value.pid) &&
  "host" in value &&
  typeof value.host === "string" &&
  "since" in value &&
  typeof value.since === "string";

/** Whether the process lives; `undefined` for one of another machine or container, which cannot be seen. */
export async function isAlive({ pid, startTime, host }: LockHolder): Promise<boolean | undefined> {
  if (host !== hostname()) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const running = await processOf(pid);
  if (running === undefined || startTime === null) return undefined;
  return !running.isDead && running.startTime === startTime;
}

/** What Linux says of a process: when it started, in ticks since the machine did, and whether it only waits to be buried. */
async function processOf(pid: number): Promise<{ startTime: string; isDead: boolean } | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The second field is the program's name in brackets and may hold anything; the start is the 20th after it.
  const fields = status?.slice(status.lastIndexOf(")") + 2).split(" ");
  const startTime = fields?.[19];
  return startTime === undefined ? undefined : { startTime, isDead: fields?.[0] === "Z" || fields?.[0] === "X" };
}
