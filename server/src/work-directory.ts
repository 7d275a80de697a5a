import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";

interface WorkDirectory {
  readonly path: string;
  close(): Promise<void>;
}

/** A folder of this process for files in hand. What processes that were killed left behind is removed. */
export async function openWorkDirectory(dataDirectory: string): Promise<WorkDirectory> {
  const all = path.join(dataDirectory, "work");
  await mkdir(all, { recursive: true, mode: 0o700 });
  for (const name of await readdir(all))
    if (!isAlive(Number(name))) await rm(path.join(all, name), { recursive: true, force: true });
  const own = path.join(all, String(process.pid));
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { mode: 0o700 });
  return { path: own, close: () => rm(own, { recursive: true, force: true }) };
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
