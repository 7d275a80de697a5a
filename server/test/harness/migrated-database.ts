import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { databaseDirectory } from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { preparedDirectory } from "../../src/adapters/database/prepared-database.ts";

/**
 * Copies the embedded database that the build prepared to `dataDirectory` unless there already is one: creating one takes
 * seconds.
 */
export async function placeMigratedDatabase(dataDirectory: string): Promise<void> {
  if (existsSync(databaseDirectory(dataDirectory))) return;
  await cp(await preparedDirectory(), databaseDirectory(dataDirectory), { recursive: true });
}
