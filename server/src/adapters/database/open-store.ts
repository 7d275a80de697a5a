import { randomUUID } from "node:crypto";
import type { NewId, Objects, Store } from "../../ports.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { createAllowances } from "./accounts/allowances.ts";
import { createBatches } from "./batches/batches.ts";
import { createBilling } from "./billing/billing.ts";
import { createBioEvents } from "./bio/bio-events.ts";
import { createBioImages } from "./bio/bio-images.ts";
import { createBioLinkHealth } from "./bio/bio-link-health.ts";
import { createBioPages } from "./bio/bio-pages.ts";
import { createListedBioPages, createPublicBioPages } from "./bio/public-bio-pages.ts";
import { createFiles } from "./files/files.ts";
import { createIdempotentAnswers } from "./calls/idempotent-answers.ts";
import { createRateLimits } from "./calls/rate-limits.ts";
import { createKeyRequests } from "./keys/key-requests.ts";
import { createKeys } from "./keys/keys.ts";
import { createOauthArtifacts } from "./keys/oauth-artifacts.ts";
import { createCorrections } from "./library/corrections.ts";
import { createDeletedScripts } from "./library/deleted-scripts.ts";
import { createSavedSearches } from "./library/saved-searches.ts";
import { createScriptExports } from "./library/script-exports.ts";
import { createTags } from "./library/tags.ts";
import { createScripts } from "./library/scripts.ts";
import { createShareLinks } from "./library/share-links.ts";
import { createModeration } from "./moderation/moderation.ts";
import { createMovePictures, type MovePictures } from "./pictures/move-pictures.ts";
import { createThumbnails } from "./pictures/thumbnails.ts";
import { createReportLinks } from "./reports/report-links.ts";
import { createReports } from "./reports/reports.ts";
import { createRetranscriptions } from "./retranscriptions/retranscriptions.ts";
import { createSentMedia } from "./sent-media/sent-media.ts";
import { createExtensionCodes, createIdentities, createSignInAttempts } from "./sessions/identities.ts";
import { createPasswords } from "./sessions/passwords.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createCompactTranscripts, type CompactTranscripts } from "./transcripts/compact-transcripts.ts";
import { createOperatorFigures } from "./operator/operator-figures.ts";
import { createOperatorQueue } from "./queue/operator-queue.ts";
import { createTranscriptions } from "./queue/transcriptions.ts";
import { createVideos } from "./videos/videos.ts";
import { createTaskLeases } from "./upkeep/task-leases.ts";
import { createTranslations } from "./translations/translations.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";
import { isBoolean, isListOf, isNumber, orNull } from "./engine/columns.ts";
import { isEmbedded } from "./engine/embedded/embedded-engine.ts";
import type { DatabaseLog, Engine } from "./engine/engine.ts";
import { readFromPrimary, readFromReplica, type ReadRoute } from "./engine/server/read-route.ts";
import { statement } from "./engine/statement.ts";
import { eachWithUnavailable } from "./engine/unavailable.ts";
import { openEngine, type OpenEngineOptions } from "./open-engine.ts";
import { createPlatformPace, createWorkers } from "./queue/workers.ts";
import { createTranscriptionWatch } from "./queue/transcription-states.ts";
import { createUpkeep } from "./upkeep/create-upkeep.ts";

export interface OpenStoreOptions extends OpenEngineOptions {
  /** A replica of the server, for reads only. */
  readonly databaseReadUrl?: string | undefined;
  readonly newId: NewId;
  readonly log?: DatabaseLog | undefined;
  /** The storage for pictures and for media that browsers send; without it they are in the database. */
  readonly objects?: Objects | undefined;
}

export interface OpenedStore extends Store {
  /** Writes a backup of the embedded database and returns its path; the last three are kept. */
  backUp(now: Date): Promise<string>;
  /** The server's clock, with which every process can compare its own. */
  moment(): Promise<Date>;
  /**
   * Records by how many milliseconds the server is ahead of this machine, and returns what other processes recorded within the
   * last minute.
   */
  compareClocks(ahead: number): Promise<readonly number[]>;
  readonly movePictures: MovePictures;
  readonly compactTranscripts: CompactTranscripts;
  /** This process's connections by the name of their pool, and the callers that wait for one. */
  connections(): Readonly<Record<string, { readonly inUse: number; readonly idle: number; readonly waiting: number }>>;
}

const silent: DatabaseLog = { info: () => undefined, warn: () => undefined };

/** Opens the database and joins all ports on it. Throws with a message for the operator if that fails. */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const { databaseReadUrl, log = silent } = options;
  const engine = await openEngine(options, log);
  await refuseHalfMoved(engine);
  return createStore(engine, await readsOf(engine, databaseReadUrl, log), options);
}

/** Joins all ports on a database whose tables are up to date. */
export function createStore(
  engine: Engine,
  reads: ReadRoute,
  { newId, log = silent, objects }: Pick<OpenStoreOptions, "newId" | "log" | "objects">,
): OpenedStore {
  const { pool, signals } = engine;
  const nouns = nounsOf(engine, reads, newId, objects);
  const processName = randomUUID();
  const transcriptionWatch = createTranscriptionWatch(engine, log);

  let closed: Promise<void> | undefined;
  return {
    ...eachWithUnavailable(nouns),
    upkeep: createUpkeep(engine, log, objects),
    subscribe: signals.subscribe,
    watchTranscription: transcriptionWatch.watch,
    connections: () => ({
      main: { inUse: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount },
    }),
    movePictures: createMovePictures(pool, objects),
    compactTranscripts: createCompactTranscripts(pool),
    async moment() {
      return new Date((await tellTime.onlyRow(engine.urgentPool)).milliseconds);
    },
    async compareClocks(ahead) {
      return (await compareClocks.onlyRow(engine.urgentPool, { name: processName, ahead })).others ?? [];
    },
    async ping() {
      await askAnything.run(engine.urgentPool);
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

/** Each fills a port of the same name. */
function nounsOf(
  engine: Engine,
  reads: ReadRoute,
  newId: OpenStoreOptions["newId"],
  objects: OpenStoreOptions["objects"],
) {
  const { pool } = engine;
  return {
    accounts: createAccounts(engine, newId),
    keys: createKeys(pool, newId),
    keyRequests: createKeyRequests(engine),
    sessions: createSessions(pool, newId),
    identities: createIdentities(pool, newId),
    signInAttempts: createSignInAttempts(pool),
    passwords: createPasswords(pool, newId),
    extensionCodes: createExtensionCodes(pool),
    oauthArtifacts: createOauthArtifacts(pool),
    rateLimits: createRateLimits(engine),
    allowances: createAllowances(pool),
    transcriptions: createTranscriptions(engine, newId),
    batches: createBatches(engine, newId),
    retranscriptions: createRetranscriptions(engine, newId),
    translations: createTranslations(engine, newId),
    sentMedia: createSentMedia(engine, newId, objects),
    files: createFiles(engine, newId, objects),
    videos: createVideos(engine, newId, objects),
    scripts: createScripts(pool, reads),
    deletedScripts: createDeletedScripts(pool),
    tags: createTags(pool),
    savedSearches: createSavedSearches(pool, newId),
    scriptExports: createScriptExports(pool),
    corrections: createCorrections(pool),
    shareLinks: createShareLinks(pool, newId),
    reports: createReports(pool, newId, reads),
    reportLinks: createReportLinks(pool, newId),
    billing: createBilling(pool),
    bioPages: createBioPages(engine, newId),
    publicBioPages: createPublicBioPages(pool),
    listedBioPages: createListedBioPages(pool),
    bioEvents: createBioEvents(pool, reads),
    bioImages: createBioImages(pool, objects),
    bioLinkHealth: createBioLinkHealth(pool),
    idempotentAnswers: createIdempotentAnswers(pool, newId),
    thumbnails: createThumbnails(pool, objects),
    webhooks: createWebhooks(pool, newId),
    moderation: createModeration(engine),
    taskLeases: createTaskLeases(pool),
    workers: createWorkers(engine),
    platformPace: createPlatformPace(pool),
    operatorQueue: createOperatorQueue(engine),
    operatorFigures: createOperatorFigures(engine),
  };
}

const isHalfMoved = statement("select to_regclass('database_move') is not null as half").reading({ half: isBoolean });

/** Its triggers may be off, so rows may be missing. */
async function refuseHalfMoved(engine: Engine): Promise<void> {
  if (!(await isHalfMoved.onlyRow(engine.pool)).half) return;
  await engine.close();
  throw new Error(
    'A move into this database has not finished. Run "npx --no-install reelscript database move" again with the settings of the old one.',
  );
}

async function readsOf(engine: Engine, readUrl: string | undefined, log: DatabaseLog): Promise<ReadRoute> {
  if (readUrl === undefined) return readFromPrimary(engine.pool);
  return readFromReplica(engine.pool, readUrl, log).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
}

const tellTime = statement(
  "select extract(epoch from clock_timestamp())::double precision * 1000 as milliseconds",
).reading({ milliseconds: isNumber });

/** Another process's report removes the rows of processes that ended. */
const compareClocks = statement(`
  with reported as (
    insert into machine_clock as c (name, server_ahead, seen_at, reads_times)
    values (:name, :ahead::double precision, clock_timestamp(), true)
    on conflict (name) do update set server_ahead = excluded.server_ahead, seen_at = excluded.seen_at
  ), ended as (
    delete from machine_clock where name <> :name and seen_at < clock_timestamp() - interval '1 day'
  )
  select array_agg(server_ahead) as others from machine_clock
  where name <> :name
    and seen_at between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute'`).reading({
  others: orNull(isListOf(isNumber)),
});

const askAnything = statement("select 1");
