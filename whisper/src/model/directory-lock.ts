import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { WhisperError } from "../whisper-error.ts";

const HEARTBEAT_MILLISECONDS = 5000;
const STALE_MILLISECONDS = 60_000;
const POLL_MILLISECONDS = 200;

/**
 * Runs `work` while no other process does with the same lock file. The file of a holder that died is taken away: at
 * once when it ran on this machine, else when its heartbeat is a minute old.
 */
export async function withLock<Result>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const mark = JSON.stringify({ host: hostname(), processId: process.pid, nonce: randomUUID() });
  while (!(await take(path, mark))) {
    await removeIfStale(path);
    await pause(POLL_MILLISECONDS, undefined, { signal }).catch(() => {
      throw new WhisperError("aborted", "The caller gave up.");
    });
  }
  held.add(mark);
  const heartbeat = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => {});
  }, HEARTBEAT_MILLISECONDS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    held.delete(mark);
    if ((await readMark(path)) === mark) await rm(path, { force: true });
  }
}

/** A restarted container may have the process id of the holder that died in it. */
const held = new Set<string>();

async function take(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(mark);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function removeIfStale(path: string): Promise<void> {
  const mark = await readMark(path);
  const touched = await stat(path).catch(() => null);
  if (mark === null || touched === null) return;
  if (Date.now() - touched.mtimeMs < STALE_MILLISECONDS && !isOfDeadProcess(mark)) return;
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => {});
  const taken = await readMark(aside);
  // Somebody else was faster and holds the lock anew: give it back.
  if (taken !== null && taken !== mark) await rename(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

function isOfDeadProcess(mark: string): boolean {
  const holder = /^\{"host":("[^"]*"),"processId":(\d+),/.exec(mark);
  if (holder === null || holder[1] !== JSON.stringify(hostname())) return false;
  const processId = Number(holder[2]);
  if (processId === process.pid) return !held.has(mark);
  try {
    process.kill(processId, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

async function readMark(path: string): Promise<string | null> {
  return await readFile(path, "utf8").catch(() => null);
}
