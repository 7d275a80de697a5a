import pg from "pg";
import { isNumber, isText } from "../columns.ts";
import { connectionTo, dropSilent, ImpatientClient, sessionSettings } from "./server-pool.ts";
import type { DatabaseLog, ServerLimits } from "../engine.ts";
import { refuseSharedSessions } from "./refuse-shared-sessions.ts";
import { isAway as isUnreachable } from "../unavailable.ts";
import { statement, type Database, type Queryable, type RowOf, type Transaction } from "../statement.ts";

/** Chooses the primary or a replica for reads of an account. */
export interface ReadRoute {
  /** `work` only reads, and may run twice. It sees everything that was written to the account's content before the call. */
  read<Result>(accountId: string, work: (on: Queryable) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export const readFromPrimary = (database: Database): ReadRoute => ({
  read: (_accountId, work) => work(database),
  close: () => Promise.resolve(),
});

/** Longest wait for a replica's answer. */
const answerMilliseconds = 1_000;
const limits: ServerLimits = { connections: 10, connectSeconds: 1, statementSeconds: 10 };
/** How long a failed replica is avoided, and how often lag is logged. */
const awayMilliseconds = 10_000;
const lagToldMilliseconds = 60_000;

const state = { changes: isNumber, revision: isNumber };
/** Two counters of an account, which rise with each change of its library and its bio page. */
const readState = statement(`
  select coalesce(max(c.changes), 0) as changes, coalesce(max(p.revision), 0) as revision
  from (select :accountId::text as id) as a left join account_content c on c.account_id = a.id
    left join bio_page p on p.account_id = a.id`).reading(state);

type State = RowOf<typeof state>;

/** Servers that replicate each other have the same identifier, and so have their databases. */
const readIdentity = statement(
  "select concat(system_identifier, ' ', d.oid) as identity from pg_control_system(), pg_database d where datname = current_database()",
).reading({ identity: isText });

/**
 * Reads from a replica if its state of the account equals the primary's, whichever process wrote it, and otherwise from the
 * primary. A replica that fails or doesn't answer is avoided for a while, and then tried by one call at a time. Throws for a
 * server that isn't a replica of the primary, or for a pooler that isn't in session mode; a replica that is down is tried
 * later.
 */
export async function readFromReplica(primary: Database, readUrl: string, log: DatabaseLog): Promise<ReadRoute> {
  const { identity } = await readIdentity.onlyRow(primary);
  const replica = openPool(readUrl, identity, log);
  let awayUntil = 0;
  let isAway = false;
  let isTrying = false;
  let lagToldAt = -Infinity;

  const failed = (error: unknown) => {
    if (!isAway) log.warn({ error: String(error) }, "The read replica does not serve; reading from the primary");
    isAway = true;
    awayUntil = performance.now() + awayMilliseconds;
  };
  const served = () => {
    if (isAway) log.warn({}, "The read replica serves again");
    isAway = false;
  };
  const behind = () => {
    if (performance.now() - lagToldAt < lagToldMilliseconds) return;
    lagToldAt = performance.now();
    log.warn({}, "The read replica is behind what was written; reading that from the primary");
  };

  /** `undefined` if the replica can't read what the primary can. */
  async function tryReplica<Result>(
    accountId: string,
    primaryState: State,
    work: (on: Queryable) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    let client: Transaction | undefined;
    try {
      client = await replica.connect();
      // Uses one connection, because there may be several replicas behind one address.
      const replicaState = await readState.within(answerMilliseconds).onlyRow(client, { accountId });
      const isFresh = replicaState.changes >= primaryState.changes && replicaState.revision >= primaryState.revision;
      const result = isFresh ? { result: await work(client) } : undefined;
      client.release();
      served();
      if (!isFresh) behind();
      return result;
    } catch (error) {
      // The statement may still be running, so the connection is closed.
      client?.release(error instanceof Error ? error : true);
      failed(error);
      return undefined;
    }
  }

  try {
    await refuseSharedSessions("DATABASE_READ_URL", connectionToReplica(readUrl));
    (await replica.connect()).release();
  } catch (error) {
    if (!isUnreachable(error)) {
      await replica.end();
      const { message } = error as Error;
      throw new Error(message.includes("DATABASE_READ_URL") ? message : `DATABASE_READ_URL can't be used: ${message}.`);
    }
    failed(error);
  }

  return {
    async read(accountId, work) {
      if (isAway && (isTrying || performance.now() < awayUntil)) return work(primary);
      const isTrial = isAway;
      if (isTrial) isTrying = true;
      try {
        const primaryState = await readState.onlyRow(primary, { accountId });
        const read = await tryReplica(accountId, primaryState, work);
        if (read) return read.result;
      } finally {
        if (isTrial) isTrying = false;
      }
      return work(primary);
    },
    close: () => replica.end(),
  };
}

const wrongReplica =
  "DATABASE_READ_URL is not a replica of the database at DATABASE_URL: name the same database on a server that follows it by streaming replication, or leave the setting out.";

const connectionToReplica = (readUrl: string): pg.ClientConfig => ({
  ...connectionTo(readUrl, limits),
  application_name: "reelscript reads",
});

function openPool(readUrl: string, identity: string, log: DatabaseLog): Database {
  const pool = new pg.Pool({
    ...connectionToReplica(readUrl),
    Client: ImpatientClient,
    onConnect: async (client) => {
      client.on("error", () => undefined);
      const settings = { text: sessionSettings(limits.statementSeconds), query_timeout: answerMilliseconds };
      await client.query(settings);
      // Another server may have taken over the address.
      const server = await readIdentity.within(answerMilliseconds).onlyRow(client as Transaction);
      if (server.identity !== identity) throw new Error(wrongReplica);
    },
  });
  dropSilent(pool);
  pool.on("error", (error) => log.warn({ error: error.message }, "A connection to the read replica broke"));
  return pool;
}
