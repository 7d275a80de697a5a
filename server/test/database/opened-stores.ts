import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import type { ServerLimits } from "../../src/adapters/database/engine/engine.ts";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { NewId, Objects } from "../../src/ports.ts";
import { startTcpProxy } from "../harness/start-tcp-proxy.ts";
import { createTestStore, openTestEngine } from "../harness/test-stores.ts";

/** On a busy machine a statement takes long, and calls that all come at once wait for a connection for as long. */
export const patientLimits: ServerLimits = { connections: 10, connectSeconds: 200, statementSeconds: 200 };

export const newId: NewId = (prefix) => `${prefix}_${randomBytes(8).toString("hex")}`;

export async function openEmbedded(objects?: Objects) {
  const engine = await openTestEngine();
  const store = createTestStore(engine, { newId, objects });
  return { store, pool: engine.pool, close: () => store.close() };
}

/** Runs a statement on a connection of its own. */
export async function askOnce<Row extends object>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return (await client.query<Row>(statement).finally(() => client.end())).rows;
}

/** A store on a server that it reaches by a way that can be frozen, with limits that soon run out. */
export async function openThroughProxy(url: string) {
  const { databaseUrl: direct, drop } = await migratedDatabase(url);
  const { hostname, port } = new URL(direct);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
  const store = await openStore({
    databaseUrl: Object.assign(new URL(direct), { hostname: "127.0.0.1", port: String(proxy.port) }).href,
    serverLimits: { connections: 3, connectSeconds: 2, statementSeconds: 2 },
    dataDirectory: "unused",
    newId,
  });
  const close = async () => {
    await store.close();
    await proxy.close();
    await drop();
  };
  return { direct, proxy, store, close };
}

/** A database of its own on the server at `url`, without tables. */
export const temporaryDatabase = (url: string) => copyOf(url, "template0");

/** A temporary database with all tables, copied from a template that is made once for each state of the migrations. */
export async function migratedDatabase(url: string) {
  return copyOf(url, await templateOf(url));
}

interface TemporaryDatabase {
  readonly databaseUrl: string;
  readonly drop: () => Promise<void>;
}

async function copyOf(url: string, template: string): Promise<TemporaryDatabase> {
  const name = `reelscript_test_${randomBytes(6).toString("hex")}`;
  await askOnce(url, `create database ${name} encoding 'UTF8' template ${template}`);
  return {
    databaseUrl: urlOfDatabase(url, name),
    drop: async () => void (await askOnce(url, `drop database ${name} with (force)`)),
  };
}

function urlOfDatabase(url: string, name: string): string {
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${name}`;
  return databaseUrl.href;
}

/** Any number that no other lock of the test server has. */
const templateLock = 7_301_994;

/** The name of a database with all tables that nobody is connected to. Workers that need it at the same time make one. */
async function templateOf(url: string): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 12);
  const name = `reelscript_template_${hash}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${templateLock})`);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) {
      const { databaseUrl } = await temporaryDatabase(url);
      const store = await openStore({ databaseUrl, serverLimits: patientLimits, dataDirectory: "unused", newId });
      await store.close();
      await client.query(`alter database ${new URL(databaseUrl).pathname.slice(1)} rename to ${name}`);
    }
  } finally {
    await client.end();
  }
  return name;
}

/** The server may drop a database before it has noticed that its connections ended; the errors that they then receive are expected. */
export function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Opens a database whose operator hasn't chosen the compact form. */
export const plainly =
  <Opened extends { readonly pool: pg.Pool }>(open: () => Promise<Opened>) =>
  async (): Promise<Opened> => {
    const opened = await open();
    await opened.pool.query("delete from storage_form");
    return opened;
  };

export async function openOnServer(url: string, objects?: Objects) {
  const { databaseUrl, drop } = await migratedDatabase(url);
  const store = await openStore({
    databaseUrl,
    serverLimits: patientLimits,
    dataDirectory: "unused",
    newId,
    objects,
  });
  const pool = openPool(databaseUrl);
  return {
    store,
    databaseUrl,
    pool,
    close: async () => {
      await store.close();
      await pool.end();
      await drop();
    },
  };
}
