import { chmod, mkdir, statfs } from "node:fs/promises";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { backUp, newestBackupAt } from "../../backups/backups.ts";
import { createCluster } from "./create-cluster.ts";
import { checkFiles, explainDamage } from "./damaged-database.ts";
import { lockDirectory, usualPatience, type LockPatience } from "./directory-lock.ts";
import { DurableNodeFileSystem } from "./durable-node-file-system.ts";
import { createEmbeddedPool } from "./embedded-pool.ts";
import type { DatabaseLog, Engine } from "../engine.ts";
import { createSignals } from "../signals.ts";
import { transaction } from "../statement.ts";

export interface EmbeddedEngine extends Engine {
  readonly kind: "embedded";
  /**
   * Frees the space of deleted rows, renews the planner's statistics, and shortens the log that a start after a crash reads.
   */
  maintain(): Promise<void>;
  /** Undefined if there is no backup. */
  newestBackupAt(): Promise<Date | undefined>;
  /** Writes a backup and returns its path; rejects if the database is closed meanwhile. */
  backUp(now: Date): Promise<string>;
}

export const isEmbedded = (engine: Engine): engine is EmbeddedEngine => engine.kind === "embedded";

export const databaseDirectory = (dataDirectory: string): string => path.join(dataDirectory, "database");
export const backupDirectory = (dataDirectory: string): string => path.join(dataDirectory, "backups");

const flushMilliseconds = 1_000;

/** `-F` would turn fsync off. enable_seqscan is off because the planner underestimates the cost of reading tokens. */
export const durableParameters = (): string[] => [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...["fsync=on", "wal_sync_method=fsync", "shared_buffers=32MB", "enable_seqscan=off", "timezone=UTC"].flatMap(
    (setting) => ["-c", setting],
  ),
];

/**
 * Bytes of a function's code that run before V8 optimizes it. With V8's default, a tenth of this, a start spends half a second
 * optimizing code that only the start uses; a database in use still gets there soon.
 */
const usedBytes = 20_000_000;

async function openDatabase(directory: string, backups: string): Promise<PGlite> {
  setFlagsFromString(`--wasm-tiering-budget=${usedBytes}`);
  try {
    await checkFiles(directory);
    return await PGlite.create({ fs: new DurableNodeFileSystem(directory), startParams: durableParameters() });
  } catch (error) {
    throw await explainDamage(error, { database: directory, backups });
  }
}

interface OpenEmbeddedOptions {
  readonly dataDirectory: string;
  /** A prepared database to copy; without it an empty one is created. */
  readonly prepared?: string | undefined;
  readonly patience?: LockPatience | undefined;
}

/**
 * Opens the embedded database in `<dataDirectory>/database`, which nobody else may use at the same time
 * (docs/decisions/database.md).
 */
export async function openEmbeddedEngine(
  { dataDirectory, prepared, patience = usualPatience }: OpenEmbeddedOptions,
  log?: DatabaseLog,
): Promise<EmbeddedEngine> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(dataDirectory, patience, log);
  try {
    const directory = databaseDirectory(dataDirectory);
    const backups = backupDirectory(dataDirectory);
    await createCluster(directory, prepared);
    // The database makes its files readable for everybody.
    await chmod(directory, 0o700);
    const database = await openDatabase(directory, backups);
    return createEmbeddedEngine(database, directory, backups, async () => {
      try {
        await database.exec("checkpoint");
        await database.close();
      } finally {
        await lock.release();
      }
    });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The engine of an open database; `close` closes the database itself. */
export function createEmbeddedEngine(
  database: PGlite,
  directory: string,
  backups: string,
  close: () => Promise<void>,
): EmbeddedEngine {
  const pool = createEmbeddedPool(database);
  const closing = new AbortController();
  // A backup contains everything since its checkpoint, so there must not be another checkpoint meanwhile.
  let checkpointing: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = checkpointing.then(work);
    checkpointing = done.catch(() => undefined);
    return done;
  };
  let maintainedAt = "";
  let flush: NodeJS.Timeout | undefined;
  return {
    kind: "embedded",
    pool,
    // There is one connection for everything.
    urgentPool: pool,
    signals: createSignals(),
    patiently: (work) => transaction(pool, work),
    flushSoon() {
      flush ??= setTimeout(() => {
        flush = undefined;
        // Any commit that waits for the disk also flushes earlier ones that didn't.
        pool.query("select pg_logical_emit_message(true, 'flush', '')").catch(() => undefined);
      }, flushMilliseconds).unref();
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(directory);
      return bavail * bsize;
    },
    async maintain() {
      const position = "select pg_current_wal_insert_lsn()::text as position";
      const before = await pool.query<{ position: string }>(position);
      if (before.rows[0]?.position === maintainedAt) return;
      const tables = await pool.query<{ name: string }>(
        "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
      );
      // Vacuums one table at a time, so that callers wait for one at most.
      for (const { name } of tables.rows) {
        if (closing.signal.aborted) return;
        await pool.query(`vacuum (analyze) ${name}`);
      }
      await inTurn(() => pool.query("checkpoint"));
      const after = await pool.query<{ position: string }>(position);
      maintainedAt = after.rows[0]?.position ?? "";
    },
    newestBackupAt: () => newestBackupAt(backups),
    backUp: (now) => inTurn(() => backUp({ database: pool, data: directory }, backups, now, closing.signal)),
    async close() {
      closing.abort();
      clearTimeout(flush);
      try {
        await checkpointing;
        await pool.end();
      } finally {
        await close();
      }
    },
  };
}
