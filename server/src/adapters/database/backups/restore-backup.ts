import { createReadStream } from "node:fs";
import { chmod, mkdir, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { syncDirectory } from "./backups.ts";
import { checkFiles } from "../engine/embedded/damaged-database.ts";
import { lockDirectory, noPatience } from "../engine/embedded/directory-lock.ts";
import { DurableNodeFileSystem } from "../engine/embedded/durable-node-file-system.ts";
import { databaseDirectory, durableParameters } from "../engine/embedded/embedded-engine.ts";
import { unpackTar } from "./tar-archive.ts";

/**
 * Replaces the embedded database with a backup and moves the current one aside. Returns the new path of the current one, if
 * there was one. Throws if the data directory is in use, or if the file isn't a backup: then nothing has changed.
 */
export async function restoreBackup(dataDirectory: string, backup: string, now: Date): Promise<string | undefined> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(dataDirectory, noPatience);
  try {
    const directory = databaseDirectory(dataDirectory);
    const unfinished = `${directory}.restoring`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    try {
      await load(unfinished, backup);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw noBackup(backup, error);
    }
    const aside = `${directory}.before-${now.toISOString().replaceAll(":", "-")}`;
    const present = await stat(directory).catch(() => undefined);
    if (present) await rename(directory, aside);
    await rename(unfinished, directory);
    await syncDirectory(dataDirectory);
    return present ? aside : undefined;
  } finally {
    await lock.release();
  }
}

const noBackup = (backup: string, cause: unknown) =>
  new Error(`${backup} is not a backup that can be restored.`, { cause });

async function load(directory: string, backup: string): Promise<void> {
  await pipeline(createReadStream(backup), createGunzip(), (archive: AsyncIterable<Buffer>) =>
    unpackTar(archive, directory),
  );
  await checkFiles(directory);
  const database = await PGlite.create({
    fs: new DurableNodeFileSystem(directory),
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
