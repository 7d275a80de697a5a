import { randomUUID } from "node:crypto";
import pg from "pg";
import { columnTypes } from "./column-types.ts";
import type { DatabaseLog, Engine } from "./engine.ts";
import { createSignals, type Topic } from "./signals.ts";

const channel = "reelscript";
const oldestMajor = 15;
const firstRetryMilliseconds = 250;
const longestRetryMilliseconds = 15_000;

/** enable_seqscan off because the planner does not see what reading tokens costs. */
const sessionSettings = `
  set enable_seqscan = off;
  set jit = off;
  set timezone = 'UTC';
  set statement_timeout = '30s';
  set idle_in_transaction_session_timeout = '30s'`;

/** Opens a PostgreSQL server, version 15 or later, whose database is in UTF-8. */
export async function openServerEngine(databaseUrl: string, log: DatabaseLog): Promise<Engine> {
  const connection: pg.ClientConfig = {
    connectionString: databaseUrl,
    application_name: "reelscript",
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    types: columnTypes,
  };
  const pool = new pg.Pool({
    ...connection,
    onConnect: async (client) => {
      // The statement in hand fails, or the next one: without a listener the whole process would end.
      client.on("error", () => undefined);
      await client.query(sessionSettings);
    },
  });
  // A connection that breaks while idle leaves the pool; the next caller gets a new one.
  pool.on("error", (error) => log.warn({ error: error.message }, "A connection to the database broke"));
  try {
    await checkServer(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const local = createSignals();
  const self = randomUUID();
  const stopListening = listen(connection, log, (payload) => {
    const [topic, from] = payload.split(" ");
    if (from !== self && (topic === "queued" || topic === "finished")) local.announce(topic);
  });
  return {
    kind: "server",
    pool,
    signals: {
      subscribe: local.subscribe,
      announce(topic: Topic) {
        local.announce(topic);
        pool
          .query({ name: "announce", text: "select pg_notify($1, $2)", values: [channel, `${topic} ${self}`] })
          .catch((error: unknown) => log.warn({ error: String(error) }, "Other processes could not be told"));
      },
    },
    // The server does so by itself.
    flushSoon: () => undefined,
    async close() {
      await stopListening();
      await pool.end();
    },
  };
}

async function checkServer(pool: pg.Pool): Promise<void> {
  const result = await pool.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const major = Math.floor(Number(result.rows[0]?.version) / 10_000);
  if (major < oldestMajor) throw new Error(`PostgreSQL ${oldestMajor} or later is needed; this server is ${major}.`);
  const encoding = result.rows[0]?.encoding;
  if (encoding !== "UTF8") throw new Error(`The database must be in UTF8; this one is in ${encoding}.`);
}

/** Hears notifications on a connection of its own, which is made anew whenever it breaks. */
function listen(connection: pg.ClientConfig, log: DatabaseLog, hear: (payload: string) => void): () => Promise<void> {
  let stopped = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let wait = firstRetryMilliseconds;

  const connect = async () => {
    const next = new pg.Client({ ...connection, application_name: "reelscript listener" });
    client = next;
    let broken = false;
    const again = (error?: Error) => {
      if (broken || stopped) return;
      broken = true;
      log.warn({ error: error?.message, retryMilliseconds: wait }, "Not hearing from the database; trying again");
      next.end().catch(() => undefined);
      retry = setTimeout(() => void connect(), wait).unref();
      wait = Math.min(wait * 2, longestRetryMilliseconds);
    };
    next.on("error", again);
    next.on("end", () => again());
    next.on("notification", ({ payload }) => hear(payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      wait = firstRetryMilliseconds;
    } catch (error) {
      again(error instanceof Error ? error : undefined);
    }
  };
  void connect();

  return async () => {
    stopped = true;
    clearTimeout(retry);
    await client?.end().catch(() => undefined);
  };
}
