import { randomUUID } from "node:crypto";
import type pg from "pg";
import { isNumber, isText } from "../columns.ts";
import { coalesced } from "./coalesced.ts";
import { connectionTo, dropSilent, ImpatientClient, LastingPool, sessionSettings } from "./server-pool.ts";
import { defaultServerLimits, type DatabaseLog, type Engine, type ServerLimits } from "../engine.ts";
import { listenToServer } from "./listen-to-server.ts";
import { refuseSharedSessions } from "./refuse-shared-sessions.ts";
import { createSignals, topics, type Topic } from "../signals.ts";
import { statement, transaction } from "../statement.ts";

const channel = "reelscript";
/** Every start of a transcription notifies that something is queued; a worker that hears it takes all there is. */
const queuedRestMilliseconds = 20;
const oldestMajor = 15;
const urgent: ServerLimits = { connections: 2, connectSeconds: 3, statementSeconds: 3 };

const notify = statement("select pg_notify(:channel, :payload)");

const describeServer = statement(
  "select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding",
).reading({ version: isNumber, encoding: isText });

/** Opens a PostgreSQL server, version 15 or later, whose database is in UTF-8. Throws for a pooler that isn't in session mode. */
export async function openServerEngine(
  databaseUrl: string,
  log: DatabaseLog,
  limits: ServerLimits = defaultServerLimits,
): Promise<Engine> {
  await refuseSharedSessions("DATABASE_URL", connectionTo(databaseUrl, limits));
  const openPool = (of: ServerLimits) => createPool(connectionTo(databaseUrl, of), of, log);
  const pool = openPool(limits);
  try {
    await checkServer(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const urgentPool = openPool(urgent);
  const local = createSignals();
  const self = randomUUID();
  const stopListening = listenToServer(connectionTo(databaseUrl, urgent), {
    channel,
    checkSeconds: limits.connectSeconds * 2,
    log,
    hear: (payload) => {
      const [name, from, subject] = payload.split(" ");
      const topic = topics.find((one) => one === name);
      if (from !== self && topic !== undefined) local.announce(topic, subject);
    },
  });
  const tell = (payload: string): Promise<void> =>
    notify.run(pool, { channel, payload }).then(
      () => undefined,
      (error: unknown) => log.warn({ error: String(error) }, "Other processes could not be told"),
    );
  const queued = coalesced(() => tell(`queued ${self}`), queuedRestMilliseconds);
  return {
    kind: "server",
    pool,
    urgentPool,
    signals: {
      subscribe: local.subscribe,
      announce(topic: Topic, subject?: string) {
        local.announce(topic, subject);
        if (topic === "queued") queued.send();
        else void tell(subject === undefined ? `${topic} ${self}` : `${topic} ${self} ${subject}`);
      },
    },
    async patiently(work) {
      const patient = openPool({ ...limits, connections: 1, statementSeconds: 0 });
      return transaction(patient, work).finally(() => patient.end());
    },
    // The server does so by itself.
    flushSoon: () => undefined,
    freeBytes: () => Promise.resolve(Number.POSITIVE_INFINITY),
    async close() {
      await stopListening();
      await queued.settled();
      await Promise.all([pool.end(), urgentPool.end()]);
    },
  };
}

function createPool(connection: pg.ClientConfig, limits: ServerLimits, log: DatabaseLog): pg.Pool {
  const pool = new LastingPool({
    ...connection,
    Client: ImpatientClient,
    max: limits.connections,
    onConnect: async (client) => {
      // The current statement fails, or the next one. Without a listener the whole process would end.
      client.on("error", () => undefined);
      await client.query(sessionSettings(limits.statementSeconds));
    },
  });
  dropSilent(pool);
  // A connection that breaks while idle leaves the pool; the next caller gets a new one.
  pool.on("error", (error) => log.warn({ error: error.message }, "A connection to the database broke"));
  return pool;
}

async function checkServer(pool: pg.Pool): Promise<void> {
  const { version, encoding } = await describeServer.onlyRow(pool);
  const major = Math.floor(version / 10_000);
  if (major < oldestMajor) throw new Error(`PostgreSQL ${oldestMajor} or later is needed; this server is ${major}.`);
  if (encoding !== "UTF8") throw new Error(`The database must be in UTF8; this one is in ${encoding}.`);
}
