import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";

const installed = "/usr/lib/postgresql";
const isRoot = process.getuid?.() === 0;

/** The programs refuse to run as root. */
async function run(program, args) {
  const [file, ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", program, ...args] : [program, ...args];
  await promisify(execFile)(file, rest, { cwd: "/" });
}

const largeMemory = ["shared_buffers=1GB", "max_wal_size=2GB"];

/** A PostgreSQL server with its data in `folder`, or undefined where none is installed. */
export async function startThrowawayPostgres(folder, { settings = largeMemory } = {}) {
  const versions = await readdir(installed).catch(() => []);
  const newest = versions.toSorted((one, other) => Number(one) - Number(other)).at(-1);
  if (newest === undefined) return undefined;
  const bin = path.join(installed, newest, "bin");
  const home = path.join(folder, "postgres");
  await chmod(folder, 0o711);
  await mkdir(home);
  if (isRoot) await promisify(execFile)("chown", ["postgres", home]);
  const data = path.join(home, "data");
  const port = await freePort();
  await run(path.join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"]);
  const given = ["fsync=off", ...settings].map((one) => `-c ${one}`).join(" ");
  const options = `-h 127.0.0.1 -p ${port} -k ${home} ${given}`;
  const start = () =>
    run(path.join(bin, "pg_ctl"), ["-D", data, "-w", "-l", path.join(home, "log"), "-o", options, "start"]);
  await start();
  return {
    databaseUrl: `postgres://postgres@127.0.0.1:${port}/postgres`,
    version: newest,
    start,
    stop: (mode = "immediate") => run(path.join(bin, "pg_ctl"), ["-D", data, "-m", mode, "stop"]),
    /** Of the server's first process, whose children serve the connections. */
    processId: async () => Number.parseInt(await readFile(path.join(data, "postmaster.pid"), "utf8"), 10),
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
