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
import { statement, type Database, type Transaction } from "./engine/statement.ts";
import { migrate } from "./migrations/migrate.ts";

export interface OpenEngineOptions {
  /** A PostgreSQL server; without it the database is embedded. */
  readonly databaseUrl?: string | undefined;
  readonly serverLimits?: ServerLimits | undefined;
  /** The folder of the embedded database and its backups; created when it is missing. */
  readonly dataDirectory: string;
  /** A database with all tables that a new embedded one is a copy of (`preparedDirectory`). */
  readonly prepared?: string | undefined;
  /** Throws instead of making a database where none is. */
  readonly mustExist?: boolean | undefined;
  /** How long to wait for another process that uses the data directory. */
  readonly lockPatience?: LockPatience | undefined;
}

/** Connects to the database and brings its tables up to date. Throws with a message for the operator when that cannot be done. */
export async function openEngine(
  { databaseUrl, serverLimits, dataDirectory, prepared, mustExist = false, lockPatience }: OpenEngineOptions,
  log: DatabaseLog,
): Promise<Engine> {
  const engine = databaseUrl
    ? await openServerEngine(databaseUrl, log, serverLimits)
    : // A copy would have the tables that are looked for.
      await openEmbeddedEngine(
        { dataDirectory, prepared: mustExist ? undefined : prepared, patience: lockPatience },
        log,
      );
  try {
    if (mustExist) await refuseEmpty(engine.pool, databaseUrl);
    await engine.patiently((inside) => bringUpToDate(inside, log));
    return engine;
  } catch (error) {
    await engine.close().catch(() => undefined);
    if (!isEmbedded(engine) || !saysDamage(error)) throw error;
    const [database, backups] = [databaseDirectory(dataDirectory), backupDirectory(dataDirectory)];
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

async function bringUpToDate(inside: Transaction, log: DatabaseLog): Promise<void> {
  await advisoryLock(inside, "migrate");
  const applied = await migrate(inside);
  if (applied.length > 0) log.info({ migrations: applied }, "Brought the database up to date");
}
