import type { Pool } from "pg";
import { openEmbeddedEngine } from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { openStore, type OpenedStore } from "../../src/adapters/database/open-store.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { newId, openPool, patientLimits, temporaryDatabase, temporaryDirectory } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

/** A database that is open as a store or, between two stores, as it is. */
export interface Bare {
  readonly open: () => Promise<OpenedStore>;
  readonly within: <Result>(work: (pool: Pool) => Promise<Result>) => Promise<Result>;
  readonly remove: () => Promise<unknown>;
}

export async function bareEmbedded(): Promise<Bare> {
  const { directory: dataDirectory, remove } = await temporaryDirectory();
  await placeMigratedDatabase(dataDirectory);
  return {
    open: () => openStore({ dataDirectory, newId }),
    async within(work) {
      const engine = await openEmbeddedEngine(dataDirectory);
      return work(engine.pool).finally(() => engine.close());
    },
    remove,
  };
}

export async function bareOnServer(): Promise<Bare> {
  const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? "");
  return {
    open: () => openStore({ databaseUrl, serverLimits: patientLimits, dataDirectory: "unused", newId }),
    async within(work) {
      const pool = openPool(databaseUrl);
      return work(pool).finally(() => pool.end());
    },
    remove: drop,
  };
}
