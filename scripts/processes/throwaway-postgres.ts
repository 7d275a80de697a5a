import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";

const installed = "/usr/lib/postgresql";
const isRoot = process.getuid?.() === 0;

/** The programs refuse to run as root. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const [file, rest] = isRoot ? ["runuser", ["-u", "postgres", "--", program, ...args]] : [program, args];
  await promisify(execFile)(file, rest, { cwd: "/" });
}

const largeMemory = ["shared_buffers=1GB", "max_wal_size=2GB"];

/** A PostgreSQL server with its data in `folder`, or undefined where none is installed. */
export async function startThrowawayPostgres(
  folder: string,
  { settings = largeMemory } = {},
): Promise<ThrowawayPostgres | undefined> {
  const versions = await readdir(installed).catch(() => []);
  const newest = versions.toSorted((one, other) => Number(one) - Number(other)).at(-1);
  if (newest === undefined) return undefined;
  const program = (name: string): string => path.join(installed, newest, "bin", name);
  const home = path.join(folder, "postgres");
  await chmod(folder, 0o711);
  await mkdir(home);
  if (isRoot) await promisify(execFile)("chown", ["postgres", home]);
  const server = await serverIn(path.join(home, "data"), { program, home, settings, version: newest });
  await run(program("initdb"), ["-D", server.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"]);
  await server.start();
  return server;
}

interface Given {
  readonly program: (name: string) => string;
  readonly home: string;
  readonly settings: readonly string[];
  readonly version: string;
}

export interface ThrowawayPostgres {
  readonly data: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly version: string;
  start(): Promise<void>;
  stop(mode?: "immediate" | "fast"): Promise<void>;
  /** Id of the server's first process, whose children serve the connections. */
  processId(): Promise<number>;
  promote(): Promise<void>;
  /** A replica of it, with its data in a folder named `name`. */
  startReplica(name: string): Promise<ThrowawayPostgres>;
}

async function serverIn(data: string, given: Given): Promise<ThrowawayPostgres> {
  const { program, home, settings, version } = given;
  const port = await freePort();
  const databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const all = ["fsync=off", ...settings].map((one) => `-c ${one}`).join(" ");
  const options = `-h 127.0.0.1 -p ${port} -k ${home} ${all}`;
  const control = (...args: string[]): Promise<void> => run(program("pg_ctl"), ["-D", data, ...args]);
  return {
    data,
    port,
    databaseUrl,
    version,
    start: () => control("-w", "-l", `${data}.log`, "-o", options, "start"),
    stop: (mode = "immediate") => control("-m", mode, "stop"),
    processId: async () => Number.parseInt(await readFile(path.join(data, "postmaster.pid"), "utf8"), 10),
    promote: () => control("-w", "promote"),
    async startReplica(name) {
      const replica = await serverIn(path.join(home, name), given);
      await run(program("pg_basebackup"), ["-D", replica.data, "-R", "-X", "stream", "-c", "fast", "-d", databaseUrl]);
      await replica.start();
      return replica;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
