import { once } from "node:events";
import { existsSync, constants } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { codeOf } from "../unavailable.ts";

const require = createRequire(import.meta.url);

/*
 * In a thread of its own, whose memory (several hundred megabytes) is given back when it ends. As text, because a thread
 * starts from JavaScript, and the sources run as TypeScript too.
 */
const makeCluster = `
  const { workerData } = require("node:worker_threads");
  const { PGlite } = require(workerData.pglite);
  const { NodeFS } = require(workerData.nodeFileSystem);
  PGlite.create({ fs: new NodeFS(workerData.directory) }).then((database) => database.close());
`;

/**
 * Makes an empty database in `directory` unless there is one: from the prepared one if the build left it, else from scratch, which
 * takes some seconds of computing. Broken off, it starts again the next time.
 */
export async function createCluster(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  const prepared = await preparedDirectory();
  await complete(directory, (unfinished) =>
    existsSync(prepared) ? copyPrepared(prepared, unfinished) : initialize(unfinished),
  );
}

/** Who runs may not read what was prepared, when another user built it and closed it: then one is made here. */
async function copyPrepared(prepared: string, unfinished: string): Promise<void> {
  try {
    await cp(prepared, unfinished, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await setModes(unfinished, { folders: 0o700, files: 0o600 });
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await initialize(unfinished);
  }
}

/**
 * Leaves an empty database beside the built program, so that a first start only has to copy it.
 *
 * @public Called by the build, by name.
 */
export async function prepareEmptyCluster(): Promise<void> {
  const prepared = await preparedDirectory();
  if (existsSync(prepared)) return;
  await complete(prepared, async (unfinished) => {
    await initialize(unfinished);
    // Who builds and who runs may be two users; nothing in it is secret.
    await setModes(unfinished, { folders: 0o755, files: 0o644 });
  });
}

async function setModes(directory: string, modes: { readonly folders: number; readonly files: number }): Promise<void> {
  await chmod(directory, modes.folders);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const place = path.join(directory, entry.name);
    await (entry.isDirectory() ? setModes(place, modes) : chmod(place, modes.files));
  }
}

async function complete(directory: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${directory}.creating`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await make(unfinished);
  await rename(unfinished, directory);
}

async function initialize(directory: string): Promise<void> {
  const worker = new Worker(makeCluster, {
    eval: true,
    execArgv: [],
    workerData: {
      pglite: require.resolve("@electric-sql/pglite"),
      nodeFileSystem: require.resolve("@electric-sql/pglite/nodefs"),
      directory,
    },
  });
  const [code] = (await once(worker, "exit")) as [number];
  if (code !== 0) throw new Error(`The database in ${directory} could not be made`);
}

/** In the folder of the built program; of this very version of the database, because files of another may not fit. */
async function preparedDirectory(): Promise<string> {
  const manifest: unknown = JSON.parse(
    await readFile(path.join(path.dirname(require.resolve("@electric-sql/pglite")), "..", "package.json"), "utf8"),
  );
  const version =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "unknown";
  const built = import.meta.url.endsWith(".ts") ? "../../../../../dist" : "../../../..";
  return path.join(fileURLToPath(new URL(built, import.meta.url)), `empty-database-${version}`);
}
