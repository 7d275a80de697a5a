import { readdir, open } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DirectoryInUse } from "../adapters/database/engine/embedded/directory-lock.ts";
import type { OpenedStore } from "../adapters/database/open-store.ts";
import type { Clock, RecognizerVersion } from "../ports.ts";
import { connectAdmin, NobodyListens } from "./admin-client.ts";
import {
  type AdminCommandName,
  type Administer,
  type AdminOutput,
  adminCommands,
  createAdminister,
  readAdminInput,
} from "./admin-commands.ts";
import { AdminError } from "./admin-error.ts";
import { adminSocketPath } from "./admin-socket-path.ts";

/** How the operator's program comes at the store. */
export interface StoreAccess extends RestoreAccess {
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly clock: Clock;
  /** What a service of the same settings hears reels with. */
  readonly recognizer: RecognizerVersion;
  /** Opens the store of the data directory or, if there is one, of the database URL; never makes one. */
  readonly openStore: () => Promise<OpenedStore>;
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
    if (access.databaseUrl !== undefined) return onServer(access, name, input);
    const started = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        return await throughService(name, input);
      } catch (error) {
        if (!(error instanceof NobodyListens)) throw error;
      }
      // The program may have been started in another folder than the service is.
      if (name !== "backupRestore" && !(await hasEmbeddedDatabase(access.dataDirectory)))
        throw new AdminError(
          "refused",
          `no service runs on ${access.dataDirectory}, and there is no database in it (DATA_DIR). Set DATA_DIR to the service's folder, or start the service once to create one.`,
        );
      try {
        return await here(access, name, input);
      } catch (error) {
        if (!(error instanceof DirectoryInUse)) throw error;
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

const hasEmbeddedDatabase = async (dataDirectory: string): Promise<boolean> =>
  (await readdir(path.join(dataDirectory, "database")).catch(() => [])).length > 0;

function onServer<Name extends AdminCommandName>(
  access: StoreAccess,
  name: Name,
  input: unknown,
): Promise<AdminOutput<Name>> {
  if (name === "backupCreate" || name === "backupRestore")
    throw new AdminError(
      "refused",
      "the database is on a PostgreSQL server (DATABASE_URL): back it up with pg_dump, restore with pg_restore",
    );
  return inStore(access, name, input);
}

/** Where no service runs. A database to be replaced is not opened first: it may be the one that cannot be. */
async function here<Name extends AdminCommandName>(
  access: StoreAccess,
  name: Name,
  input: unknown,
): Promise<AdminOutput<Name>> {
  if (name !== "backupRestore") return inStore(access, name, input);
  const { file } = adminCommands.backupRestore.input.parse(input);
  return (await restoreDatabase(access, file)) as AdminOutput<Name>; // The answer of the command of the same name.
}

async function inStore<Name extends AdminCommandName>(
  access: StoreAccess,
  name: Name,
  input: unknown,
): Promise<AdminOutput<Name>> {
  const store = await access.openStore();
  try {
    return await createAdminister({ store, ...access })(name, input);
  } finally {
    await store.close();
  }
}

/** What restoring needs from the program that does it. */
interface RestoreAccess {
  /** Where the paths start that the operator types. */
  readonly workingDirectory: string;
  /** Puts the backup in the place of the database; returns where the old one is now, if there was one. */
  readonly restoreBackup: (file: string) => Promise<string | undefined>;
}

/** Restores a backup where no service runs. Throws `AdminError` when there is no such file. */
async function restoreDatabase(
  { workingDirectory, restoreBackup }: RestoreAccess,
  file: string,
): Promise<AdminOutput<"backupRestore">> {
  const backup = path.resolve(workingDirectory, file);
  await checkFile(backup);
  return { file: backup, before: (await restoreBackup(backup)) ?? null };
}

async function checkFile(file: string): Promise<void> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new AdminError(
      "refused",
      error.code === "ENOENT" || error.code === "ENOTDIR"
        ? `cannot find the file ${file}`
        : `${file} cannot be read (${error.code ?? error.message})`,
      error,
    );
  });
  try {
    if (!(await handle.stat()).isFile()) throw new AdminError("refused", `${file} is not a file`);
  } finally {
    await handle.close();
  }
}
