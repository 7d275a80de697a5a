import type { NewId, Objects, Store } from "../../ports.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { createAllowances } from "./accounts/allowances.ts";
import { createBilling } from "./billing/billing.ts";
import { createBioEvents } from "./bio/bio-events.ts";
import { createBioLinkHealth } from "./bio/bio-link-health.ts";
import { createBioImages } from "./bio/bio-images.ts";
import { createBioPages } from "./bio/bio-pages.ts";
import {
  backupDirectory,
  databaseDirectory,
  openEmbeddedEngine,
  type EmbeddedEngine,
} from "./engine/embedded/embedded-engine.ts";
import { explainDamage, saysDamage } from "./engine/embedded/damaged-database.ts";
import type { LockPatience } from "./engine/embedded/directory-lock.ts";
import type { DatabaseLog, Engine, ServerLimits } from "./engine/engine.ts";
import { createExtensionCodes } from "./sessions/extension-codes.ts";
import { createIdempotentAnswers } from "./calls/idempotent-answers.ts";
import { createIdentities } from "./sessions/identities.ts";
import { createKeyRequests } from "./keys/key-requests.ts";
import { createKeys } from "./keys/keys.ts";
import { advisoryLock } from "./engine/advisory-lock.ts";
import { isBoolean, isNumber } from "./engine/columns.ts";
import { createModeration } from "./moderation/moderation.ts";
import { createListedBioPages } from "./bio/listed-bio-pages.ts";
import { migrate } from "./migrations/migrate.ts";
import { createPublicBioPages } from "./bio/public-bio-pages.ts";
import { createRateLimits } from "./calls/rate-limits.ts";
import { createRepairs } from "./repairs/repairs.ts";
import { readWorkFigures, type StoredWork } from "./transcriptions/read-work-figures.ts";
import { readFromPrimary, readFromReplica } from "./engine/read-route.ts";
import { createReports } from "./reports/reports.ts";
import { createScripts } from "./library/scripts.ts";
import { createSentMedia } from "./sent-media/sent-media.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createSignInAttempts } from "./sessions/sign-in-attempts.ts";
import { createRemnants } from "./moderation/remnants.ts";
import { openServerEngine } from "./engine/server/server-engine.ts";
import { execute, onlyRowOf, statement, type Database, type Transaction } from "./engine/statement.ts";
import { createThumbnails } from "./pictures/thumbnails.ts";
import { createTranscriptions } from "./transcriptions/transcriptions.ts";
import { createTaskLeases } from "./upkeep/task-leases.ts";
import { createUpkeep } from "./upkeep/create-upkeep.ts";
import { createTranscriptionWatch } from "./transcriptions/watch-transcriptions.ts";
import { withUnavailable } from "./engine/unavailable.ts";

export interface OpenStoreOptions {
  /** A PostgreSQL server; without it the database is embedded. */
  readonly databaseUrl?: string | undefined;
  readonly serverLimits?: ServerLimits | undefined;
  /** A replica of that server, for what is only read. */
  readonly databaseReadUrl?: string | undefined;
  /** Where the embedded database and its backups live; made when it is missing. */
  readonly dataDirectory: string;
  readonly newId: NewId;
  /** Throws instead of making a database where none is. */
  readonly mustExist?: boolean | undefined;
  readonly log?: DatabaseLog | undefined;
  /** Where pictures are kept; without it in the database. */
  readonly objects?: Objects | undefined;
  /** How long to wait for another process that uses the data directory. */
  readonly lockPatience?: LockPatience | undefined;
}

export interface OpenedStore extends Store {
  /** Whether this process owns the database alone: then `expireLeases` is right at the start. */
  readonly embedded: boolean;
  /** Writes a backup of the embedded database and returns its path; the last three are kept. */
  backUp(now: Date): Promise<string>;
  /** What waits, runs and is held now. Throws when the database is away. */
  workFigures(): Promise<StoredWork>;
  /** The server's own time, which every process can compare its clock with. */
  moment(): Promise<Date>;
  /** Connections of this process by the name of their pool, and callers that wait for one. */
  connections(): Readonly<Record<string, { readonly inUse: number; readonly idle: number; readonly waiting: number }>>;
}

const silent: DatabaseLog = { info: () => undefined, warn: () => undefined };

/** Opens the database and brings its tables up to date. Throws with a message for the operator when that cannot be done. */
export async function openStore({
  databaseUrl,
  serverLimits,
  databaseReadUrl,
  dataDirectory,
  newId,
  mustExist = false,
  log = silent,
  objects,
  lockPatience,
}: OpenStoreOptions): Promise<OpenedStore> {
  const engine = databaseUrl
    ? await openServerEngine(databaseUrl, log, serverLimits)
    : await openEmbeddedEngine(dataDirectory, lockPatience, log);
  const { pool, signals } = engine;
  try {
    if (mustExist) await refuseEmpty(engine.pool, databaseUrl);
    await engine.patiently((inside) => bringUpToDate(inside, log));
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw await explained(error, isEmbedded(engine), dataDirectory);
  }
  const rateLimits = createRateLimits(engine);
  const reads = databaseReadUrl ? readFromReplica(pool, databaseReadUrl, log) : readFromPrimary(pool);
  const billing = createBilling(pool);
  const bioEvents = createBioEvents(pool, reads);
  const idempotentAnswers = createIdempotentAnswers(pool, newId);
  const sessions = createSessions(pool, newId);
  const signInAttempts = createSignInAttempts(pool);
  const extensionCodes = createExtensionCodes(pool);
  const sentMedia = createSentMedia(engine, newId);
  const transcriptionWatch = createTranscriptionWatch(engine);
  const embedded = isEmbedded(engine) ? { engine, dataDirectory } : undefined;
  const kept = {
    rateLimits,
    bioEvents,
    billing,
    idempotentAnswers,
    sessions,
    signInAttempts,
    extensionCodes,
    sentMedia,
  };
  const upkeep = createUpkeep({ pool, log, objects, embedded, ...kept });

  let closed: Promise<void> | undefined;
  return {
    embedded: isEmbedded(engine),
    accounts: withUnavailable(createAccounts(engine, newId)),
    keys: withUnavailable(createKeys(pool, newId)),
    keyRequests: withUnavailable(createKeyRequests(engine)),
    sessions: withUnavailable(sessions),
    identities: withUnavailable(createIdentities(pool, newId)),
    signInAttempts: withUnavailable(signInAttempts),
    extensionCodes: withUnavailable(extensionCodes),
    rateLimits: withUnavailable(rateLimits),
    allowances: withUnavailable(createAllowances(pool)),
    transcriptions: withUnavailable(createTranscriptions(engine, newId)),
    repairs: withUnavailable(createRepairs(engine, newId)),
    sentMedia: withUnavailable(sentMedia),
    scripts: withUnavailable(createScripts(pool, reads)),
    reports: withUnavailable(createReports(pool, newId, reads)),
    billing: withUnavailable(billing),
    bioPages: withUnavailable(createBioPages(engine, newId)),
    publicBioPages: withUnavailable(createPublicBioPages(pool)),
    listedBioPages: withUnavailable(createListedBioPages(pool)),
    bioEvents: withUnavailable(bioEvents),
    bioImages: withUnavailable(createBioImages(pool, objects)),
    bioLinkHealth: withUnavailable(createBioLinkHealth(pool)),
    idempotentAnswers: withUnavailable(idempotentAnswers),
    thumbnails: withUnavailable(createThumbnails(pool, objects)),
    moderation: withUnavailable(createModeration(engine)),
    remnants: withUnavailable(createRemnants(pool)),
    taskLeases: withUnavailable(createTaskLeases(pool)),
    upkeep,
    subscribe: signals.subscribe,
    watchTranscription: transcriptionWatch.watch,
    workFigures: () => readWorkFigures(pool),
    connections: () => ({
      main: { inUse: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount },
    }),
    async moment() {
      return new Date((await onlyRowOf(engine.urgentPool, tellTime)).milliseconds);
    },
    async ping() {
      await execute(engine.urgentPool, askAnything);
    },
    async backUp(now) {
      if (!isEmbedded(engine))
        throw new Error("Only the embedded database is backed up here; use pg_dump for a server.");
      return engine.backUp(now);
    },
    close() {
      transcriptionWatch.stop();
      closed ??= (async () => {
        await reads.close();
        await engine.close();
      })();
      return closed;
    },
  };
}

const explained = (error: unknown, embedded: boolean, dataDirectory: string): Promise<unknown> =>
  embedded && saysDamage(error)
    ? explainDamage(error, { database: databaseDirectory(dataDirectory), backups: backupDirectory(dataDirectory) })
    : Promise.resolve(error);

const isEmbedded = (engine: Engine): engine is EmbeddedEngine => engine.kind === "embedded";

const tellTime = statement(
  "tell-time",
  "select extract(epoch from clock_timestamp())::double precision * 1000 as milliseconds",
  { milliseconds: isNumber },
);

const askAnything = statement("ping", "select 1");

const findTables = statement("find-tables", "select to_regclass('migration') is not null as there", {
  there: isBoolean,
});

async function refuseEmpty(database: Database, databaseUrl: string | undefined): Promise<void> {
  if ((await onlyRowOf(database, findTables)).there) return;
  const at = databaseUrl === undefined ? "DATA_DIR" : `${placeOf(databaseUrl)} (DATABASE_URL)`;
  throw new Error(
    `There are no tables of Reelscript in the database at ${at}. Start the service once to create them, or name its database.`,
  );
}

/** Without the password. */
const placeOf = (databaseUrl: string): string => {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
};

async function bringUpToDate(inside: Transaction, log: DatabaseLog): Promise<void> {
  await advisoryLock(inside, "migrate");
  const applied = await migrate(inside);
  if (applied.length > 0) log.info({ migrations: applied }, "Brought the database up to date");
}
