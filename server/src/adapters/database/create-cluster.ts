import { once } from "node:events";
import { constants, existsSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

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
 * Makes an empty database in `directory` unless there is one: from the prepared one if the build left it, else anew, which
 * takes some seconds of computing. Broken off, it starts again the next time.
 */
export async function createCluster(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  const prepared = await preparedDirectory();
  await complete(directory, (unfinished) =>
    existsSync(prepared)
      ? cp(prepared, unfinished, { recursive: true, mode: constants.COPYFILE_FICLONE })
      : initialise(unfinished),
  );
}

/**
 * Leaves an empty database beside the built program, so that a first start only has to copy it.
 *
 * @public Called by the build, by name.
 */
export async function prepareEmptyCluster(): Promise<void> {
  const prepared = await preparedDirectory();
  if (!existsSync(prepared)) await complete(prepared, initialise);
}

async function complete(directory: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${directory}.creating`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await make(unfinished);
  await rename(unfinished, directory);
}

async function initialise(directory: string): Promise<void> {
  const worker = new Worker(makeCluster, {
    eval: true,
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
  const built = import.meta.url.endsWith(".ts") ? "../../../dist" : "../..";
  return path.join(fileURLToPath(new URL(built, import.meta.url)), `empty-database-${version}`);
}
