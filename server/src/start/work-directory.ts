import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "./shared-clock.ts";

/** Written again and again by the process whose folder it is in. */
const signOfLife = "alive";
const beatMilliseconds = 10_000;
/** Far more than a process that lives can be late. */
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
 * A folder of this process for files in hand, under a name of its own. What processes left behind that were killed is
 * removed when it shows no sign of life any more; ids of processes mean nothing to processes in other containers.
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
    // Somebody may have taken the folder for that of a dead process, after this one slept for long.
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
