import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { ServerLimits } from "../../src/adapters/database/engine/engine.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { NewId } from "../../src/ports.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { temporaryPlace } from "../harness/temporary-place.ts";

/** On a busy machine a statement takes long, and calls that all come at once wait for a connection for as long. */
export const patientLimits: ServerLimits = { connections: 10, connectSeconds: 200, statementSeconds: 200 };

export const newId: NewId = (prefix) => `${prefix}_${randomBytes(8).toString("hex")}`;

export async function temporaryDirectory(): Promise<{ directory: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(path.join(temporaryPlace, "reelscript-database-"));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

export async function openEmbedded() {
  const { directory, remove } = await temporaryDirectory();
  await placeMigratedDatabase(directory);
  const store = await openStore({ dataDirectory: directory, newId });
  return {
    store,
    directory,
    close: async () => {
      await store.close();
      await remove();
    },
  };
}

/** A database of its own on the server at `url`. */
export async function temporaryDatabase(url: string): Promise<{ databaseUrl: string; drop: () => Promise<void> }> {
  const name = `reelscript_test_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name} encoding 'UTF8' template template0`);
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${name}`;
  return { databaseUrl: databaseUrl.href, drop: () => run(`drop database ${name} with (force)`) };
}

/** The server may drop a database before it has noticed that its connections ended; the errors that they then receive are expected. */
export function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

export async function openOnServer(url: string) {
  const { databaseUrl, drop } = await temporaryDatabase(url);
  const store = await openStore({ databaseUrl, serverLimits: patientLimits, dataDirectory: "unused", newId });
  return {
    store,
    databaseUrl,
    close: async () => {
      await store.close();
      await drop();
    },
  };
}
