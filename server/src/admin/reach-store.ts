import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, Store } from "../ports.ts";
import { connectAdmin, NobodyListens } from "./admin-client.ts";
import { type Administer, createAdminister, readAdminInput } from "./admin-commands.ts";
import { AdminError } from "./admin-error.ts";
import { adminSocketPath } from "./admin-socket-path.ts";

/** How the operator's program comes at the store. */
export interface StoreAccess {
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly clock: Clock;
  /** Opens the store of the data directory or, if there is one, of the database URL. */
  readonly openStore: () => Promise<Store>;
  /** Longest wait for a process that holds the database without answering, in seconds: it may be starting or stopping. */
  readonly patienceSeconds: number;
}

/**
 * Carries out commands through the service that holds the data, or in the store itself when none runs. A database server
 * takes any number of clients and is always opened. Says what the operator may not expect. Throws `AdminError`.
 */
export function reachStore(access: StoreAccess, say: (message: string) => void): Administer {
  const throughService = connectAdmin(adminSocketPath(access.dataDirectory));
  return async (name, input) => {
    readAdminInput(name, input);
    if (access.databaseUrl !== undefined) return inStore(access, (administer) => administer(name, input));
    const started = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        return await throughService(name, input);
      } catch (error) {
        if (!(error instanceof NobodyListens)) throw error;
      }
      // The program may have been started in another folder than the service is.
      if (!existsSync(access.dataDirectory)) say(`There are no data in ${access.dataDirectory} yet; starting anew.`);
      try {
        return await inStore(access, (administer) => administer(name, input));
      } catch (error) {
        if (!isInUse(error)) throw error;
        if (performance.now() - started > access.patienceSeconds * 1000)
          throw new AdminError(
            "refused",
            `${error.message}\nNo service answers there; one that is starting or stopping needs a moment.`,
            error,
          );
        if (tries === 1) say(`The data in ${access.dataDirectory} are in use; waiting for their service to answer.`);
        await sleep(200);
      }
    }
  };
}

/** The lock of the data directory tells in words who holds it. */
const isInUse = (error: unknown): error is Error => error instanceof Error && / is in use by /.test(error.message);

async function inStore<Result>(
  access: StoreAccess,
  work: (administer: Administer) => Promise<Result>,
): Promise<Result> {
  const store = await access.openStore();
  try {
    return await work(createAdminister({ store, clock: access.clock }));
  } finally {
    await store.close();
  }
}
