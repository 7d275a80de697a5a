import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "./shared-clock.ts";

/** Rewritten again and again by the process that owns the folder. */
const signOfLife = "alive";
const beatMilliseconds = 10_000;
/** Far longer than any living process can be late. */
const deadMilliseconds = 5 * 60 * 1_000;

export interface WorkDirectory {
  readonly path: string;
  close(): Promise<void>;
}

interface Options {
  readonly onFault?: (error: unknown) => void;
  /** Only for tests. */
  readonly beat?: number;
}

/**
 * A folder for this process's temporary files, under a name of its own. Folders of killed processes are removed when they show
 * no sign of life any more; process ids mean nothing to processes in other containers.
 */
export async function openWorkDirectory(
  dataDirectory: string,
  { onFault = () => undefined, beat: every = beatMilliseconds }: Options = {},
): Promise<WorkDirectory> {
  const all = path.join(dataDirectory, "work");
  await mkdir(all, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(path.join(all, "process-"));
  const sign = path.join(directory, signOfLife);
  await writeFile(sign, "");
  let beating: Promise<void> = Promise.resolve();
  async function beat(): Promise<void> {
    const now = systemClock.now();
    // If this process slept for long, another one may have removed the folder as a dead process's.
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await utimes(sign, now, now).catch(() => writeFile(sign, ""));
    await sweep(all, directory);
  }
  await sweep(all, directory);
  const timer = setInterval(() => {
    beating = beating.then(beat).catch(onFault);
  }, every).unref();
  return {
    path: directory,
    async close() {
      clearInterval(timer);
      await beating;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function sweep(all: string, ownFolder: string): Promise<void> {
  const now = systemClock.now().getTime();
  for (const name of await readdir(all)) {
    const folder = path.join(all, name);
    if (folder !== ownFolder && (await isDead(folder, now))) await rm(folder, { recursive: true, force: true });
  }
}

/** A process that dies before its first sign of life leaves a folder without one. */
async function isDead(folder: string, now: number): Promise<boolean> {
  const signed = (await changedAt(path.join(folder, signOfLife))) ?? (await changedAt(folder));
  return signed !== undefined && now - signed > deadMilliseconds;
}

async function changedAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    return undefined;
  }
}
