import { chmod, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { lockDirectory } from "./directory-lock.ts";
import { DurableNodeFileSystem } from "./durable-node-file-system.ts";
import { databaseDirectory, durableParameters } from "./embedded-engine.ts";

/**
 * Puts a backup of the embedded database in the place of the present one, which is moved aside. Returns where the old one
 * is now, if there was one. Throws when the data directory is in use, or the file is no backup: then nothing has changed.
 */
export async function restoreBackup(
  dataDirectory: string,
  backup: string,
  now: Date = new Date(),
): Promise<string | undefined> {
  const archive = await readArchive(backup);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(dataDirectory);
  try {
    const directory = databaseDirectory(dataDirectory);
    const unfinished = `${directory}.restoring`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    try {
      await load(unfinished, archive);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw noBackup(backup, error);
    }
    const aside = `${directory}.before-${now.toISOString().replaceAll(":", "-")}`;
    const present = await stat(directory).catch(() => undefined);
    if (present) await rename(directory, aside);
    await rename(unfinished, directory);
    return present ? aside : undefined;
  } finally {
    await lock.release();
  }
}

const noBackup = (backup: string, cause: unknown) =>
  new Error(`${backup} is not a backup that can be restored.`, { cause });

async function readArchive(backup: string): Promise<File> {
  const compressed = await readFile(backup);
  try {
    const archive = await promisify(gunzip)(compressed);
    return new File([new Uint8Array(archive)], "backup.tar", { type: "application/x-tar" });
  } catch (error) {
    throw noBackup(backup, error);
  }
}

async function load(directory: string, archive: File): Promise<void> {
  const database = await PGlite.create({
    fs: new DurableNodeFileSystem(directory),
    loadDataDir: archive,
    startParams: durableParameters(),
  });
  try {
    await database.query("select count(*) from migration");
    await database.query("checkpoint");
  } finally {
    await database.close();
  }
  await chmod(directory, 0o700);
}
