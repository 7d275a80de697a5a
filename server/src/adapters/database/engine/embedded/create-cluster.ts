import { once } from "node:events";
import { existsSync, constants } from "node:fs";
import { chmod, cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { codeOf } from "../unavailable.ts";

const require = createRequire(import.meta.url);

/**
 * Runs in its own thread, whose memory (several hundred megabytes) is freed when it ends. It is text, because a thread starts
 * from JavaScript, and the sources also run as TypeScript.
 */
const makeCluster = `
  const { workerData } = require("node:worker_threads");
  const { PGlite } = require(workerData.pglite);
  const { NodeFS } = require(workerData.nodeFileSystem);
  PGlite.create({ fs: new NodeFS(workerData.directory) }).then((database) => database.close());
`;

/**
 * Creates a database in `directory` unless there is one: a copy of `prepared` if that exists, or else an empty one, which takes
 * seconds to compute. If it is interrupted, it starts over the next time.
 */
export async function createCluster(directory: string, prepared: string | undefined): Promise<void> {
  if (existsSync(directory)) return;
  await complete(directory, (unfinished) =>
    prepared !== undefined && existsSync(prepared) ? copyPrepared(prepared, unfinished) : initialize(unfinished),
  );
}

/** Creates a new database if another user prepared the copy and this user may not read it. */
async function copyPrepared(prepared: string, unfinished: string): Promise<void> {
  try {
    await cp(prepared, unfinished, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await makePrivate(unfinished);
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await initialize(unfinished);
  }
}

async function makePrivate(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const entryPath = path.join(directory, entry.name);
    await (entry.isDirectory() ? makePrivate(entryPath) : chmod(entryPath, 0o600));
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
