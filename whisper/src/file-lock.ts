import { randomUUID, createHash } from "node:crypto";
import { open, readFile, rename, rm, utimes, stat, realpath } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { hostname } from "node:os";
import net from "node:net";
import path from "node:path";

const beatMilliseconds = 5_000;
const silentMilliseconds = 30_000;
const pollMilliseconds = 200;
const settleMilliseconds = 150;

export interface FileLock {
  release(): Promise<void>;
}

export interface FileLockOptions {
  /** How long to wait, in milliseconds, for a holder that is seen to live and may be ending; and for one that can't be seen. */
  readonly patience: { readonly ending: number; readonly silent: number };
  /** After so long without a sign of life a holder that cannot be seen is dead; 30 s unless given. */
  readonly silence?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once, when there is something to wait for. */
  readonly onWait?: ((holder: LockHolder | undefined) => void) | undefined;
}

/** Another process has the lock. */
export class FileLockHeld extends Error {
  override readonly name = "FileLockHeld";
  readonly holder: LockHolder | undefined;

  constructor(file: string, holder: LockHolder | undefined) {
    super(`${file} is locked by another process`);
    this.holder = holder;
  }
}

/** Locks of this process, by their nonces. */
const held = new Set<string>();

/**
 * Makes this process the only one that has the lock file. Two guards: a name at the kernel, and the file, which says who
 * has it and is touched again and again. What a dead process left is taken over. Throws `FileLockHeld` when patience ends,
 * and the signal's reason when it is aborted.
 */
export async function takeFileLock(file: string, options: FileLockOptions): Promise<FileLock> {
  const waiting = createWaiting(file, options);
  let name = await takeKernelName(file);
  while (name === "taken") {
    await waiting.forHolder(await readMark(file), true);
    name = await takeKernelName(file);
  }
  const holder = await createHolder();
  const text = JSON.stringify(holder);
  try {
    while (!(await writeNew(file, text))) {
      const mark = await readMark(file);
      const state = await stateOf(mark, options.silence ?? silentMilliseconds);
      if (state !== "dead") await waiting.forHolder(mark, state === "alive");
      else if (mark !== undefined && (await takeOver(file, mark, text))) break;
    }
  } catch (error) {
    await name?.release();
    throw error;
  }
  return hold(file, holder, name);
}

function hold(file: string, { nonce }: LockHolder, name: KernelName | undefined): FileLock {
  held.add(nonce);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, beatMilliseconds).unref();
  return {
    async release() {
      clearInterval(beat);
      held.delete(nonce);
      if ((await readMark(file))?.holder?.nonce === nonce) await rm(file, { force: true });
      await name?.release();
    },
  };
}

function createWaiting(file: string, { patience, signal, onWait }: FileLockOptions) {
  const began = performance.now();
  let first: LockMark | undefined;
  let hasReported = false;
  return {
    /** Waits a moment for the holder, or throws when that was long enough. */
    async forHolder(mark: LockMark | undefined, isSeen: boolean): Promise<void> {
      if (first?.text !== mark?.text) first = mark;
      const hasBeaten = mark !== undefined && first !== undefined && mark.touchedAt > first.touchedAt;
      const longest = isSeen || hasBeaten ? patience.ending : patience.silent;
      const isOurs = mark?.holder !== undefined && held.has(mark.holder.nonce);
      if ((isOurs && longest !== Infinity) || performance.now() - began >= longest)
        throw new FileLockHeld(file, mark?.holder);
      if (!hasReported) onWait?.(mark?.holder);
      hasReported = true;
      await pause(Math.min(pollMilliseconds, longest), undefined, { signal });
    },
  };
}

async function stateOf(mark: LockMark | undefined, silence: number): Promise<"alive" | "dead" | "unseen"> {
  // Released at this moment, or not ours to read.
  if (mark === undefined) return "alive";
  const { holder, touchedAt } = mark;
  if (holder !== undefined && held.has(holder.nonce)) return "alive";
  const alive = holder && (await isAlive(holder));
  if (alive !== undefined) return alive ? "alive" : "dead";
  return Date.now() - touchedAt >= silence ? "dead" : "unseen";
}

/** If only the file guards, two processes may find the same abandoned one: the last to write it has the lock. */
async function takeOver(file: string, mark: LockMark, text: string): Promise<boolean> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  const taken = await readFile(aside, "utf8").catch(() => undefined);
  // Somebody else was faster and has the lock: give it back.
  if (taken !== undefined && taken !== mark.text) await rename(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
  if (!(await writeNew(file, text))) return false;
  await pause(settleMilliseconds);
  return (await readMark(file))?.text === text;
}

async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx", 0o600);
    await handle.writeFile(text);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Which process has a lock, as its file says. */
export interface LockHolder {
  readonly pid: number;
  /** Tells a process from a later one with the same id; null where the system does not say. */
  readonly startTime: string | null;
  readonly host: string;
  readonly since: string;
  readonly nonce: string;
}

/** A lock's content, and when its holder last touched it, in milliseconds. */
interface LockMark {
  readonly text: string;
  readonly holder: LockHolder | undefined;
  readonly touchedAt: number;
}

const createHolder = async (): Promise<LockHolder> => ({
  pid: process.pid,
  startTime: (await processOf(process.pid))?.startTime ?? null,
  host: hostname(),
  since: new Date().toISOString(),
  nonce: randomUUID(),
});

/** `undefined` when the file is gone. */
async function readMark(file: string): Promise<LockMark | undefined> {
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

/** True if the process lives; `undefined` if it runs on another machine or in another container, where we can't see it. */
async function isAlive({ pid, startTime, host }: LockHolder): Promise<boolean | undefined> {
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

/** Reads a process's start from Linux, in ticks since the machine's, and whether it is a zombie. */
async function processOf(pid: number): Promise<{ startTime: string; isDead: boolean } | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The second field is the program's name in brackets and may hold anything; the start is the 20th after it.
  const fields = status?.slice(status.lastIndexOf(")") + 2).split(" ");
  const startTime = fields?.[19];
  return startTime === undefined ? undefined : { startTime, isDead: fields?.[0] === "Z" || fields?.[0] === "X" };
}

interface KernelName {
  release(): Promise<void>;
}

/**
 * Takes the file's name at the kernel, which frees it when the process ends, however it ends; `undefined` where there are
 * no such names. Of processes in other containers the kernel says nothing.
 */
async function takeKernelName(file: string): Promise<KernelName | "taken" | undefined> {
  const realFile = path.join(await realpath(path.dirname(file)), path.basename(file));
  const address = addressOf(`reelscript-${createHash("sha256").update(realFile).digest("hex").slice(0, 32)}`);
  if (address === undefined) return undefined;
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve("taken") : reject(error),
    );
    server.listen(address, () => {
      server.unref();
      resolve({ release: () => new Promise((resolve) => server.close(() => resolve())) });
    });
  });
}

function addressOf(name: string): string | undefined {
  if (process.platform === "linux") return `\0${name}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : undefined;
}
