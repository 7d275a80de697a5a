import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, utimes } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { databaseDirectory } from "./engine/embedded/embedded-engine.ts";
import { migrations } from "./migrations/migrations.ts";
import { openEngine } from "./open-engine.ts";

const prefix = "prepared-database-";
/** The folder of the built program. */
const folder = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The embedded database that the build leaves next to the program: with all tables and no rows, so that a first start copies it
 * instead of computing for seconds. Its name includes the database program's version and the migrations, because files of
 * another version may not fit.
 */
export async function preparedDirectory(): Promise<string> {
  const program = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest = await readFile(path.join(path.dirname(program), "..", "package.json"));
  const hash = createHash("sha256").update(manifest).update(JSON.stringify(migrations)).digest("hex");
  return path.join(folder, prefix + hash.slice(0, 16));
}

/**
 * Prepares the database unless it exists, and removes those of other versions.
 *
 * @public Called by the build, by name.
 */
export async function prepareDatabase(): Promise<void> {
  const prepared = await preparedDirectory();
  if (!existsSync(prepared)) await prepare(prepared);
  // The build compares its age with that of the migrations.
  await utimes(prepared, new Date(), new Date());
  for (const name of await readdir(folder))
    if (name.startsWith(prefix) && name !== path.basename(prepared))
      await rm(path.join(folder, name), { recursive: true, force: true });
}

async function prepare(prepared: string): Promise<void> {
  const unfinished = `${prepared}.creating`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const silent = { info: () => undefined, warn: () => undefined };
  const engine = await openEngine({ dataDirectory: unfinished }, silent);
  await engine.close();
  const database = databaseDirectory(unfinished);
  // One user may build it and another run it; it holds no secrets.
  await makeReadable(database);
  await rename(database, prepared);
  await rm(unfinished, { recursive: true });
}

async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const entryPath = path.join(directory, entry.name);
    await (entry.isDirectory() ? makeReadable(entryPath) : chmod(entryPath, 0o644));
  }
}
