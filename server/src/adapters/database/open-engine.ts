import { readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import {
  backupDirectory,
  databaseDirectory,
  isEmbedded,
  openEmbeddedEngine,
} from "./engine/embedded/embedded-engine.ts";
import { explainDamage, saysDamage } from "./engine/embedded/damaged-database.ts";
import type { LockPatience } from "./engine/embedded/directory-lock.ts";
import { advisoryLock } from "./engine/advisory-lock.ts";
import { isBoolean } from "./engine/columns.ts";
import type { DatabaseLog, Engine, ServerLimits } from "./engine/engine.ts";
import { openServerEngine } from "./engine/server/server-engine.ts";
import { statement, type Database } from "./engine/statement.ts";
import { codeOf } from "./engine/unavailable.ts";
import { migrate, pendingMigrations } from "./migrations/migrate.ts";
import { migrations } from "./migrations/migrations.ts";

export interface OpenEngineOptions {
  /** A PostgreSQL server; without it the database is embedded. */
  readonly databaseUrl?: string | undefined;
  readonly serverLimits?: ServerLimits | undefined;
  /** The folder of the embedded database and its backups; created when it is missing. */
  readonly dataDirectory: string;
  /** A prepared database with all tables, which a new embedded one is copied from (`preparedDirectory`). */
  readonly prepared?: string | undefined;
  /** Throws instead of creating a database if there is none. */
  readonly mustExist?: boolean | undefined;
  /** How long to wait for another process that uses the data directory. */
  readonly lockPatience?: LockPatience | undefined;
}

/** Connects to the database and brings its tables up to date. Throws with a message for the operator if that fails. */
export async function openEngine(
  { databaseUrl, serverLimits, dataDirectory, prepared, mustExist = false, lockPatience }: OpenEngineOptions,
  log: DatabaseLog,
): Promise<Engine> {
  const engine = databaseUrl
    ? await openServerEngine(databaseUrl, log, serverLimits)
    : // A copy would already have the tables that this lists.
      await openEmbeddedEngine(
        { dataDirectory, prepared: mustExist ? undefined : prepared, patience: lockPatience },
        log,
      );
  try {
    if (mustExist) await refuseEmpty(engine.pool, databaseUrl);
    await bringUpToDate(engine, log);
    return engine;
  } catch (error) {
    await engine.close().catch(() => undefined);
    if (!isEmbedded(engine) || !saysDamage(error)) throw error;
    const database = databaseDirectory(dataDirectory);
    const backups = backupDirectory(dataDirectory);
    throw await explainDamage(error, { database, backups });
  }
}

const findTables = statement("select to_regclass('migration') is not null as there").reading({
  there: isBoolean,
});

async function refuseEmpty(database: Database, databaseUrl: string | undefined): Promise<void> {
  if ((await findTables.onlyRow(database)).there) return;
  const at = databaseUrl === undefined ? "DATA_DIR" : `${withoutPassword(databaseUrl)} (DATABASE_URL)`;
  throw new Error(
    `There are no tables of Reelscript in the database at ${at}. Start the service once to create them, or name its database.`,
  );
}

const withoutPassword = (databaseUrl: string): string => {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
};

const firstRest = 1_000;
const longestRest = 5_000;
const patienceMilliseconds = 10 * 60 * 1_000;
const lockNotAvailable = "55P03";

/** Retries while others use the tables, so that calls continue meanwhile: a backup reads all of them for its whole time. */
async function bringUpToDate(engine: Engine, log: DatabaseLog): Promise<void> {
  const until = performance.now() + patienceMilliseconds;
  for (let rest = firstRest; ; rest = Math.min(longestRest, rest * 2))
    try {
      const applied = await engine.patiently(async (inside) => {
        await advisoryLock(inside, "migrate");
        return migrate(inside);
      });
      if (applied.length > 0) log.info({ migrations: applied }, "Brought the database up to date");
      return;
    } catch (error) {
      if (codeOf(error) !== lockNotAvailable) throw error;
      if (performance.now() > until)
        throw new Error(
          "The tables can't be brought up to date, because others have used them for ten minutes. Try again when their work, such as a backup, is done.",
          { cause: error },
        );
      if (rest === firstRest)
        log.warn({}, "The tables are brought up to date when others, such as a backup, no longer use them");
      await pause(rest);
    }
}

/** Names the migrations that the database lacks, and changes nothing. Names all of them if there is no database yet. */
export async function missingMigrations(
  { databaseUrl, serverLimits, dataDirectory, lockPatience }: OpenEngineOptions,
  log: DatabaseLog,
): Promise<string[]> {
  if (databaseUrl === undefined && !(await hasEmbeddedDatabase(dataDirectory)))
    return migrations.map(({ name }) => name);
  const engine = databaseUrl
    ? await openServerEngine(databaseUrl, log, serverLimits)
    : await openEmbeddedEngine({ dataDirectory, patience: lockPatience }, log);
  try {
    return (await pendingMigrations(engine.pool)).map(({ name }) => name);
  } finally {
    await engine.close();
  }
}

const hasEmbeddedDatabase = async (dataDirectory: string): Promise<boolean> =>
  (await readdir(databaseDirectory(dataDirectory)).catch(() => [])).length > 0;
