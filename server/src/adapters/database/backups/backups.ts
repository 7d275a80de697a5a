import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { isText } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { tarOf } from "./tar-archive.ts";

const backupsKept = 3;
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

/** Time of the newest backup; undefined if there is none. */
export async function newestBackupAt(directory: string): Promise<Date | undefined> {
  const newest = (await listBackups(directory)).at(-1);
  return newest === undefined ? undefined : (await stat(newest)).mtime;
}

/** Files that the database recreates when it starts, or that belong to the process that has it open. */
const leftOut =
  /^(?:postmaster\.(?:pid|opts)|(?:.*\/)?pg_internal\.init|(?:pg_stat_tmp|pg_replslot|pg_notify|pg_dynshmem)\/.+)$/;
const controlFile = "global/pg_control";
const logFolder = "pg_wal";

/**
 * Writes the files of the open database in `data` into one compressed file and keeps the last three. Statements continue except
 * for the moment of a checkpoint: files are read while they change, and the log since the checkpoint, which is read last, has
 * all changes, as after a crash. No other checkpoint may run until this returns. Returns the file's path.
 */
export async function backUp(
  { database, data }: { readonly database: Database; readonly data: string },
  directory: string,
  now: Date,
  signal: AbortSignal,
): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory))
    if (name.endsWith(unfinishedSuffix)) await rm(path.join(directory, name), { force: true });

  const start = await checkpoint(database, data);
  signal.throwIfAborted();
  const file = path.join(directory, `${now.toISOString().replaceAll(":", "-")}${suffix}`);
  const unfinished = `${file}${unfinishedSuffix}`;
  try {
    await pipeline(
      tarOf(data, filesOf(database, data, start)),
      createGzip({ level: 1 }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
      { signal },
    );
    await rename(unfinished, file);
    await syncDirectory(directory);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  for (const old of (await listBackups(directory)).slice(0, -backupsKept)) await rm(old, { force: true });
  return file;
}

const makeCheckpoint = statement("checkpoint");
const findFirstLog = statement("select redo_wal_file as log from pg_control_checkpoint()").reading({
  log: isText,
});
const findLastLog = statement("select pg_walfile_name(pg_current_wal_insert_lsn()) as log").reading({
  log: isText,
});

interface Checkpoint {
  readonly control: Buffer;
  /** The first file of the log that is needed after the checkpoint. */
  readonly log: string;
}

/** Uses one connection, so that the control file belongs to this checkpoint. */
async function checkpoint(database: Database, data: string): Promise<Checkpoint> {
  const connection = await database.connect();
  try {
    await makeCheckpoint.run(connection);
    const { log } = await findFirstLog.onlyRow(connection);
    return { control: await readFile(path.join(data, controlFile)), log };
  } finally {
    connection.release();
  }
}

async function* filesOf(
  database: Database,
  data: string,
  start: Checkpoint,
): AsyncGenerator<{ name: string; content?: Buffer }> {
  const names = (await readdir(data, { recursive: true })).map((name) => name.replaceAll(path.sep, "/"));
  for (const name of names.toSorted())
    if (name === controlFile) yield { name, content: start.control };
    else if (!leftOut.test(name) && !name.startsWith(`${logFolder}/0`)) yield { name };

  const { log: last } = await findLastLog.onlyRow(database);
  for (const name of (await readdir(path.join(data, logFolder))).toSorted())
    if (/^[0-9A-F]{24}$/.test(name) && name >= start.log && name <= last) yield { name: `${logFolder}/${name}` };
}

/** Without this, a power cut could lose the new name of a finished file. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory).catch(() => undefined);
  // Not every system can sync a folder.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
