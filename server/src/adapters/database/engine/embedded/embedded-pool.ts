import type { PGlite } from "@electric-sql/pglite";
import { createPgConfig, PglitePgConnection } from "@electric-sql/pglite/node-postgres";
import pg from "pg";
import { columnTypes } from "../columns.ts";
import { LastingPool } from "../server/server-pool.ts";

/** The database has one session: whoever comes next begins when all that was said before is answered. */
interface Session {
  readonly database: PGlite;
  answered: Promise<unknown>;
}

/** Has its own listeners, so that an answer that comes late to a client that was given up reaches no other one. */
class EmbeddedConnection extends PglitePgConnection {
  readonly #session: Session;
  #ended = false;

  constructor(session: Session) {
    super({ pglite: session.database });
    this.#session = session;
  }

  override async connect(port: number, host: string): Promise<void> {
    await this.#session.answered;
    await super.connect(port, host);
  }

  override end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const toldOfEnd = this.listeners("end") as (() => void)[];
    // From here on nobody listens, and an error that nobody hears would end the process.
    super.end();
    this.on("error", () => undefined);
    for (const tell of toldOfEnd) this.once("end", tell);
    this.#session.answered = new Promise((resolve) => this.once("end", resolve));
  }
}

/** Its one session outlives every failure. */
class EmbeddedPool extends LastingPool {
  protected override keeps(): boolean {
    return true;
  }
}

/** One connection for everything. */
export function createEmbeddedPool(database: PGlite): pg.Pool {
  const session: Session = { database, answered: Promise.resolve() };
  const { user, password, host, port, poolSize } = createPgConfig(database);
  class EmbeddedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connection: new EmbeddedConnection(session) } as pg.ClientConfig);
      // The statement in hand fails, or the next one: without a listener the whole process would end.
      this.on("error", () => undefined);
    }
  }
  return new EmbeddedPool({
    user,
    password,
    host,
    port,
    database: "postgres",
    types: columnTypes,
    Client: EmbeddedClient,
    max: poolSize,
    idleTimeoutMillis: 0,
    // What a client before it left behind: a transaction, prepared statements.
    onConnect: async (client) => {
      await client.query("rollback");
      await client.query("discard all");
    },
  }).on("error", () => undefined);
}
