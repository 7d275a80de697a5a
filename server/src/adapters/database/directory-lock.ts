import { createHash } from "node:crypto";
import { open, readFile, realpath, rm, stat, utimes } from "node:fs/promises";
import net from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DirectoryInUse } from "./directory-in-use.ts";

interface Holder {
  readonly pid: number;
  /** Tells a process from a later one with the same id; null where the system does not tell. */
  readonly startTime: string | null;
  readonly host: string;
  readonly since: string;
}

export interface DirectoryLock {
  release(): Promise<void>;
}

const beatMilliseconds = 5_000;
const silentMilliseconds = 30_000;
const settleMilliseconds = 150;

/**
 * Makes this process the only one that uses `directory`. Two guards: a name that the kernel frees when the process ends,
 * however it ends (where there are such names: Linux, Windows), and a file beside it that tells who it is.
 * Throws `DirectoryInUse`.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const file = path.join(directory, "database.lock");
  const server = await claimName(await realpath(directory));
  if (server === "taken") throw new DirectoryInUse(directory, await readHolder(file));
  try {
    await claimFile(directory, file);
  } catch (error) {
    server?.close();
    throw error;
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, beatMilliseconds).unref();
  return {
    async release() {
      clearInterval(beat);
      await rm(file, { force: true });
      if (server) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function claimName(directory: string): Promise<net.Server | "taken" | undefined> {
  const name = `reelscript-${createHash("sha256").update(directory).digest("hex").slice(0, 32)}`;
  const address =
    process.platform === "linux" ? `\0${name}` : process.platform === "win32" ? `\\\\.\\pipe\\${name}` : undefined;
  if (address === undefined) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve("taken") : reject(error),
    );
    server.listen(address, () => resolve(server.unref()));
  });
}

async function claimFile(directory: string, file: string): Promise<void> {
  const self: Holder = {
    pid: process.pid,
    startTime: await startTimeOf(process.pid),
    host: hostname(),
    since: new Date().toISOString(),
  };
  if (await writeNew(file, self)) return;
  const holder = await readHolder(file);
  if (await isAlive(file, holder)) throw new DirectoryInUse(directory, holder);
  await rm(file, { force: true });
  if (!(await writeNew(file, self))) throw new DirectoryInUse(directory, await readHolder(file));
  // Where only the file guards, two processes may both have found it left behind: the last to write it stays.
  await pause(settleMilliseconds);
  const winner = await readHolder(file);
  if (winner?.pid !== self.pid || winner.since !== self.since) throw new DirectoryInUse(directory, winner);
}

async function writeNew(file: string, holder: Holder): Promise<boolean> {
  try {
    const handle = await open(file, "wx", 0o600);
    await handle.writeFile(JSON.stringify(holder));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(file, "utf8"));
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

const isHolder = (value: unknown): value is Holder =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  Number.isSafeInteger(value.pid) &&
  "host" in value &&
  typeof value.host === "string" &&
  "since" in value &&
  typeof value.since === "string";

/** A process of another machine or container cannot be seen: there the file's age tells. */
async function isAlive(file: string, holder: Holder | undefined): Promise<boolean> {
  const seen = await stat(file).catch(() => undefined);
  const silent = seen ? Date.now() - seen.mtimeMs : Number.POSITIVE_INFINITY;
  if (!holder || holder.host !== hostname()) return silent < silentMilliseconds;
  if (holder.pid === process.pid)
    return holder.startTime === (await startTimeOf(process.pid)) && silent < silentMilliseconds;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const startTime = await startTimeOf(holder.pid);
  return startTime === null || holder.startTime === null ? silent < silentMilliseconds : startTime === holder.startTime;
}

/** Clock ticks from the machine's start to the process's. */
async function startTimeOf(pid: number): Promise<string | null> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The second field is the program's name in brackets and may hold anything; the start is the 20th after it.
  return status?.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
