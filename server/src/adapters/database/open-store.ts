import { Kysely, PostgresDialect } from "kysely";
import type { PoolClient } from "pg";
import type { NewId, Store } from "../../ports.ts";
import { createAccounts } from "./accounts.ts";
import { createAllowances } from "./allowances.ts";
import { createBilling } from "./billing.ts";
import { createBioEvents } from "./bio-events.ts";
import { createBioPages } from "./bio-pages.ts";
import { backupDirectory, openEmbeddedEngine, type EmbeddedEngine } from "./embedded-engine.ts";
import { newestBackupAt } from "./backups.ts";
import type { DatabaseLog, Engine } from "./engine.ts";
import { forgetHandles } from "./hold-bio-handle.ts";
import { createIdempotentAnswers } from "./idempotent-answers.ts";
import { createIdentities } from "./identities.ts";
import { indexAnew } from "./index-anew.ts";
import { createKeyRequests } from "./key-requests.ts";
import { createKeys } from "./keys.ts";
import { locks } from "./locks.ts";
import { migrate } from "./migrate.ts";
import { createRateLimits } from "./rate-limits.ts";
import { createReports } from "./reports.ts";
import { createScripts } from "./scripts.ts";
import { createSessions } from "./sessions.ts";
import { createSignInAttempts } from "./sign-in-attempts.ts";
import { forgetRememberedUse } from "./remembered-use.ts";
import { openServerEngine } from "./server-engine.ts";
import { transaction } from "./statement.ts";
import type { Tables } from "./tables.ts";
import { createThumbnails } from "./thumbnails.ts";
import { createTranscriptions } from "./transcriptions.ts";
import { withUnavailable } from "./unavailable.ts";

const maintenanceMilliseconds = 10 * 60 * 1_000;
const backupMilliseconds = 24 * 60 * 60 * 1_000;

export interface OpenStoreOptions {
  /** A PostgreSQL server; without it the database is embedded. */
  readonly databaseUrl?: string | undefined;
  /** Where the embedded database and its backups live; made when it is missing. */
  readonly dataDirectory: string;
  readonly newId: NewId;
  readonly log?: DatabaseLog | undefined;
}

export interface OpenedStore extends Store {
  /** Whether this process owns the database alone: then `expireLeases` is right at the start. */
  readonly embedded: boolean;
  /** Writes a backup of the embedded database and returns its path; the last three are kept. */
  backUp(): Promise<string>;
  /** What is done every ten minutes anyway: forgets idle callers, salts of past days, old answers, ended sessions, handles held long enough and what removed accounts used 24 months ago, vacuums, and backs up when the last backup is a day old. */
  lookAfter(): Promise<void>;
}

const silent: DatabaseLog = { info: () => undefined, warn: () => undefined };

/** Opens the database and brings its tables up to date. Throws with a message for the operator when that cannot be done. */
export async function openStore({
  databaseUrl,
  dataDirectory,
  newId,
  log = silent,
}: OpenStoreOptions): Promise<OpenedStore> {
  const engine = databaseUrl ? await openServerEngine(databaseUrl, log) : await openEmbeddedEngine(dataDirectory);
  const { pool, signals } = engine;
  try {
    await transaction(pool, (client) => bringUpToDate(client, log));
  } catch (error) {
    await engine.close();
    throw error;
  }
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const rateLimits = createRateLimits(engine);
  const billing = createBilling(pool);
  const bioEvents = createBioEvents(pool);
  const idempotentAnswers = createIdempotentAnswers(pool, newId);
  const sessions = createSessions(pool, newId);
  const signInAttempts = createSignInAttempts(pool);
  const lookAfter = async () => {
    await rateLimits.forgetIdle();
    await bioEvents.forget(new Date());
    await billing.forget(new Date());
    await idempotentAnswers.forget(new Date());
    await sessions.forget(new Date());
    await signInAttempts.forget(new Date());
    await forgetHandles(pool, new Date());
    await forgetRememberedUse(pool, new Date());
    if (isEmbedded(engine)) await lookAfterEmbedded(engine, dataDirectory, log);
  };
  const upkeep = setInterval(() => {
    lookAfter().catch((error: unknown) => log.warn({ error: String(error) }, "The database could not be looked after"));
  }, maintenanceMilliseconds).unref();

  let closed: Promise<void> | undefined;
  return {
    embedded: isEmbedded(engine),
    accounts: withUnavailable(createAccounts(pool, database, newId)),
    keys: withUnavailable(createKeys(pool, database, newId)),
    keyRequests: withUnavailable(createKeyRequests(engine)),
    sessions: withUnavailable(sessions),
    identities: withUnavailable(createIdentities(pool, newId)),
    signInAttempts: withUnavailable(signInAttempts),
    rateLimits: withUnavailable(rateLimits),
    allowances: withUnavailable(createAllowances(pool)),
    transcriptions: withUnavailable(createTranscriptions(engine, newId)),
    scripts: withUnavailable(createScripts(pool)),
    reports: withUnavailable(createReports(pool, newId)),
    billing: withUnavailable(billing),
    bioPages: withUnavailable(createBioPages(pool, newId)),
    bioEvents: withUnavailable(bioEvents),
    idempotentAnswers: withUnavailable(idempotentAnswers),
    thumbnails: withUnavailable(createThumbnails(pool)),
    subscribe: signals.subscribe,
    async ping() {
      await pool.query("select 1");
    },
    async backUp() {
      if (!isEmbedded(engine))
        throw new Error("Only the embedded database is backed up here; use pg_dump for a server.");
      return engine.backUp(new Date());
    },
    lookAfter,
    close() {
      clearInterval(upkeep);
      closed ??= engine.close();
      return closed;
    },
  };
}

const isEmbedded = (engine: Engine): engine is EmbeddedEngine => engine.kind === "embedded";

async function bringUpToDate(client: PoolClient, log: DatabaseLog): Promise<void> {
  await client.query("set local statement_timeout = 0");
  await client.query("select pg_advisory_xact_lock($1)", [locks.migrate]);
  const applied = await migrate(client);
  if (applied.length > 0) log.info({ migrations: applied }, "Brought the database up to date");
  const indexed = await indexAnew(client);
  if (indexed > 0) log.info({ transcripts: indexed }, "Indexed transcripts anew for searching");
}

async function lookAfterEmbedded(engine: EmbeddedEngine, dataDirectory: string, log: DatabaseLog): Promise<void> {
  await engine.maintain();
  const newest = await newestBackupAt(backupDirectory(dataDirectory));
  if (newest && Date.now() - newest.getTime() < backupMilliseconds) return;
  log.info({ file: await engine.backUp(new Date()) }, "Backed up the database");
}
