import { Duplex } from "node:stream";
import type { PGlite } from "@electric-sql/pglite";
import type pg from "pg";
import { columnTypes } from "../columns.ts";
import { LastingPool } from "../server/server-pool.ts";

/** `AuthenticationOk` and `ReadyForQuery`. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
const terminate = "X".charCodeAt(0);

/**
 * Imitates a socket to a server. The database answers everything that a client sends at a time in one call, which costs a
 * quarter less than a call for each message; nothing is running when a client is closed.
 */
class EmbeddedSocket extends Duplex {
  readonly #database: PGlite;
  #isWelcome = false;

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  connect(): void {
    process.nextTick(() => this.emit("connect"));
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    // Closing a client must not close the database.
    const messages = chunks.flatMap(({ chunk }) => (chunk[0] === terminate ? [] : [chunk]));
    void this.#answer(Buffer.concat(messages), done);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this._writev([{ chunk }], done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _read(): void {
    // Answers are pushed, so reading does nothing.
  }

  async #answer(message: Buffer, done: (error: Error | null) => void): Promise<void> {
    const answers: Uint8Array[] = this.#isWelcome ? [] : [welcome];
    let failure: Error | null = null;
    try {
      const onRawData = (bytes: Uint8Array): void => void answers.push(bytes.slice());
      if (this.#isWelcome && message.length > 0)
        await this.#database.execProtocolRawStream(message, { syncToFs: false, onRawData });
    } catch (error) {
      failure = error as Error;
    }
    this.#isWelcome = true;
    if (answers.length > 0 && !this.destroyed) this.push(Buffer.concat(answers));
    done(failure);
  }

  setNoDelay(): void {
    // There is no network, so no delay to turn off.
  }

  ref(): void {
    // It never keeps a process alive.
  }

  unref(): void {
    // For the same reason this does nothing.
  }
}

/** Its only session survives every failure. */
class EmbeddedPool extends LastingPool {
  protected override keeps(): boolean {
    return true;
  }
}

/** One connection for everything. */
export const createEmbeddedPool = (database: PGlite): pg.Pool =>
  new EmbeddedPool({
    user: "postgres",
    ssl: false,
    stream: () => new EmbeddedSocket(database) as never,
    types: columnTypes,
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      // The current statement fails, or the next one. Without a listener the whole process would end.
      client.on("error", () => undefined);
      // The previous client may have left a transaction and prepared statements.
      await client.query("rollback");
      await client.query("discard all");
    },
  }).on("error", () => undefined);
