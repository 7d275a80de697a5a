import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { databaseDirectory } from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { preparedDirectory } from "../../src/adapters/database/prepared-database.ts";

/** Puts the embedded database that the build prepared into `dataDirectory` unless one is there: making one takes seconds. */
export async function placeMigratedDatabase(dataDirectory: string): Promise<void> {
  if (existsSync(databaseDirectory(dataDirectory))) return;
  await cp(await preparedDirectory(), databaseDirectory(dataDirectory), { recursive: true });
}
