import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DirectoryInUse } from "../adapters/database/engine/embedded/directory-lock.ts";
import { askService, NobodyListens } from "./admin-client.ts";
import { invitationSite, mailerOf } from "../start/invite.ts";
import { AdminError } from "./admin-error.ts";
import { adminSocketPath } from "./admin-socket-path.ts";
import type { Answered, CommandAccess, StoreCommand } from "./command.ts";

/**
 * Sends a command to the service that holds the data, or runs it on the store itself if none is running. A database server
 * takes any number of clients and is always opened. Prints a note if the operator may not expect this. Throws `AdminError`.
 */
export async function reachStore(
  command: StoreCommand,
  given: Record<string, unknown>,
  access: CommandAccess,
): Promise<Answered> {
  const input = command.prepare ? await command.prepare(given, access) : given;
  command.check(input);
  const { dataDirectory, databaseUrl, say } = access;
  if (databaseUrl !== undefined) {
    if (!command.isBackup) return inStore(command, input, access);
    throw new AdminError(
      "refused",
      "the database is on a PostgreSQL server (DATABASE_URL): back it up with pg_dump, restore with pg_restore",
    );
  }
  const started = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await askService(adminSocketPath(dataDirectory), command, input);
    } catch (error) {
      if (!(error instanceof NobodyListens)) throw error;
    }
    // A database to be replaced is not opened first, because it may be damaged.
    const alone = command.carryOutAlone;
    // The program may have been started in another folder than the service.
    if (!alone && !(await hasEmbeddedDatabase(dataDirectory)))
      throw new AdminError(
        "refused",
        `no service runs on ${dataDirectory}, and there is no database in it (DATA_DIR). Set DATA_DIR to the service's folder, or start the service once to create one.`,
      );
    try {
      return await (alone ? alone(input, access) : inStore(command, input, access));
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      // Tries at least twice, so that the message about waiting appears even if the first try used up the time.
      if (tries > 1 && performance.now() - started > access.patienceSeconds * 1000)
        throw new AdminError(
          "refused",
          `${error.message}\nNo service answers there; one that is starting or stopping needs a moment.`,
          error,
        );
      if (tries === 1) say(`The data in ${dataDirectory} are in use; waiting for their service to answer.`);
      await sleep(200);
    }
  }
}

const hasEmbeddedDatabase = async (dataDirectory: string): Promise<boolean> =>
  (await readdir(path.join(dataDirectory, "database")).catch(() => [])).length > 0;

async function inStore(
  command: StoreCommand,
  input: unknown,
  { openStore, clock, recognizer, config }: CommandAccess,
): Promise<Answered> {
  const store = await openStore();
  try {
    const tools = { store, clock, recognizer, invitationSite: invitationSite(config), mailer: mailerOf(config) };
    return await command.carryOut(input, tools);
  } finally {
    await store.close();
  }
}
