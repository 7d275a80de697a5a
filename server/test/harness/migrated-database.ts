import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { databaseDirectory } from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";

const cache = fileURLToPath(new URL("../../../node_modules/.cache/reelscript/", import.meta.url));
const prefix = "migrated-database-";

/**
 * Puts an embedded database with all tables and no rows into `dataDirectory` unless one is there: migrating one takes seconds of computing,
 * copying it does not. The one that is copied is made again when the migrations or the database program change.
 */
export async function placeMigratedDatabase(dataDirectory: string): Promise<void> {
  if (existsSync(databaseDirectory(dataDirectory))) return;
  await cp(databaseDirectory(await migratedDirectory()), databaseDirectory(dataDirectory), { recursive: true });
}

/** The data directory with the one that is copied. */
export async function migratedDirectory(): Promise<string> {
  const made = path.join(cache, prefix + (await fingerprint()));
  if (!existsSync(made)) await make(made);
  return made;
}

async function make(place: string): Promise<void> {
  const unfinished = `${place}.${randomUUID()}`;
  await mkdir(unfinished, { recursive: true });
  const earlier = (await readdir(cache)).filter((name) => name.startsWith(prefix) && !name.includes("."));
  const newId = (): string => expect.fail("no rows");
  const store = await openStore({ dataDirectory: unfinished, newId });
  await store.close();
  // Another worker of the test runner may have been faster.
  await rename(unfinished, place).catch(() => rm(unfinished, { recursive: true }));
  for (const name of earlier) await rm(path.join(cache, name), { recursive: true, force: true });
}

async function fingerprint(): Promise<string> {
  const database = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest = await readFile(path.join(path.dirname(database), "..", "package.json"));
  return createHash("sha256").update(manifest).update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
}
