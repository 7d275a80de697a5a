import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

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

/** Makes an empty database in `directory` unless there is one. Broken off, it starts anew the next time. */
export async function createCluster(directory: string): Promise<"created" | "present"> {
  if (existsSync(directory)) return "present";
  const unfinished = `${directory}.creating`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const require = createRequire(import.meta.url);
  const worker = new Worker(makeCluster, {
    eval: true,
    workerData: {
      pglite: require.resolve("@electric-sql/pglite"),
      nodeFileSystem: require.resolve("@electric-sql/pglite/nodefs"),
      directory: unfinished,
    },
  });
  const [code] = (await once(worker, "exit")) as [number];
  if (code !== 0) throw new Error(`The database in ${directory} could not be made`);
  await rename(unfinished, directory);
  return "created";
}
