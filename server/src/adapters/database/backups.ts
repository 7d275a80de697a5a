import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { PGlite } from "@electric-sql/pglite";

const kept = 3;
const suffix = ".tar.gz";
const unfinishedSuffix = ".unfinished";

/** The finished backups of a directory, oldest first. */
export async function listBackups(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => name.endsWith(suffix))
    .toSorted()
    .map((name) => path.join(directory, name));
}

/** When the newest backup was made; undefined when there is none. */
export async function newestBackupAt(directory: string): Promise<Date | undefined> {
  const newest = (await listBackups(directory)).at(-1);
  return newest === undefined ? undefined : (await stat(newest)).mtime;
}

/**
 * Writes the whole data directory into one compressed file and keeps the last three. Statements wait while the directory
 * is read; they run while it is compressed. Returns the file's path.
 */
export async function backUp(database: PGlite, directory: string, now: Date, signal: AbortSignal): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    if (name.endsWith(unfinishedSuffix)) await rm(path.join(directory, name), { force: true });
  }
  const archive = await database.dumpDataDir("none");
  signal.throwIfAborted();
  const file = path.join(directory, `${now.toISOString().replaceAll(":", "-")}${suffix}`);
  const unfinished = `${file}${unfinishedSuffix}`;
  try {
    await pipeline(
      Readable.fromWeb(archive.stream()),
      createGzip({ level: 1 }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
      { signal },
    );
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  for (const old of (await listBackups(directory)).slice(0, -kept)) await rm(old, { force: true });
  return file;
}
