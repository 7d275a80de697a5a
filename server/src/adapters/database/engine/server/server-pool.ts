import pg from "pg";
import { columnTypes } from "../columns.ts";
import { defaultServerLimits, type ServerLimits } from "../engine.ts";
import { isUnanswered, type Database } from "../statement.ts";

/** The server reports a statement's timeout before the client closes the connection. */
const graceMilliseconds = 2_000;

/**
 * enable_seqscan is off because the planner underestimates the cost of reading tokens; work_mem holds the matches of a search.
 * With the random_page_cost of disks without heads, a search follows the index of its library and builds no bitmap first.
 */
export const sessionSettings = (statementSeconds: number): string => `
  set enable_seqscan = off;
  set random_page_cost = 1.1;
  set jit = off;
  set work_mem = '16MB';
  set timezone = 'UTC';
  set statement_timeout = '${statementSeconds}s';
  set idle_in_transaction_session_timeout = '30s'`;

export const connectionTo = (databaseUrl: string, limits: ServerLimits): pg.ClientConfig => ({
  connectionString: databaseUrl,
  application_name: "reelscript",
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: limits.connectSeconds * 1_000,
  ...(limits.statementSeconds > 0 && { query_timeout: limits.statementSeconds * 1_000 + graceMilliseconds }),
  types: columnTypes,
});

const patient = { ...defaultServerLimits, connections: 2, statementSeconds: 0 };

/**
 * A few connections for an operator's program, whose statements have no timeout; `name` distinguishes them from the service's.
 */
export const openOwnPool = (databaseUrl: string, name: string): Database =>
  new pg.Pool({
    ...connectionTo(databaseUrl, patient),
    application_name: name,
    max: patient.connections,
    onConnect: async (client) => void (await client.query(sessionSettings(patient.statementSeconds))),
  });

/** Classes of SQL states that concern only the statement: bad data, a broken rule, a refusal by one of our triggers. */
const refusals = new Set(["22", "23", "40", "42", "55", "P0", "RS"]);

const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && refusals.has((error.code ?? "").slice(0, 2));

/**
 * Keeps its connection when the database refuses a statement: only its caller gets the error, and the next caller finds its
 * statements prepared.
 */
export class LastingPool extends pg.Pool {
  override query = (async (...parameters: unknown[]): Promise<unknown> => {
    const client = await this.connect();
    const send = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    try {
      const result = await send(...parameters);
      client.release();
      return result;
    } catch (error) {
      client.release(this.keeps(error) ? undefined : (error as Error));
      throw error;
    }
  }) as pg.Pool["query"];

  protected keeps(error: unknown): boolean {
    return isRefusal(error);
  }
}

const farewellMilliseconds = 1_000;

/**
 * A connection that closes when a statement isn't answered within `query_timeout`, because that statement would still block the
 * next one. Closing doesn't wait for a silent server either.
 */
export class ImpatientClient extends pg.Client {
  override query = ((...parameters: unknown[]): unknown => {
    const send = super.query.bind(this) as (...given: unknown[]) => unknown;
    const answer = send(...parameters);
    if (answer instanceof Promise)
      return answer.catch((error: unknown) => {
        if (isUnanswered(error)) this.end().catch(() => undefined);
        throw error;
      });
    return answer;
  }) as pg.Client["query"];

  override end = ((whenEnded?: (error: Error) => void): unknown => {
    const timer = setTimeout(() => this.connection.stream.destroy(), farewellMilliseconds);
    this.once("end", () => clearTimeout(timer));
    return whenEnded === undefined ? super.end() : super.end(whenEnded);
  }) as pg.Client["end"];
}

/**
 * If one connection is closed because nothing answers, the idle ones are probably dead too. Closes them, so that no other
 * caller has to find out.
 */
export function dropSilent(pool: pg.Pool): void {
  const idle = new Set<pg.Client>();
  pool.on("acquire", (client) => idle.delete(client as unknown as pg.Client));
  pool.on("remove", (client) => idle.delete(client as unknown as pg.Client));
  pool.on("release", (error: unknown, client) => {
    if (!error) return void idle.add(client as unknown as pg.Client);
    if (error !== true && !isUnanswered(error)) return;
    for (const silent of idle) silent.connection.stream.destroy();
  });
}
