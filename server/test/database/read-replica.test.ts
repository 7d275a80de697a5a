import { execFile } from "node:child_process";
import { chmod, chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openStore, type OpenedStore } from "../../src/adapters/database/open-store.ts";
import { freePort } from "../harness/free-port.ts";
import { after, anAccount, transcribe } from "./conformance/fixtures.ts";
import { askOnce, newId } from "./opened-stores.ts";

const installed = "/usr/lib/postgresql";
const versions = await readdir(installed).catch(() => []);
const newest = versions.toSorted((one, other) => Number(one) - Number(other)).at(-1);
const isRoot = process.getuid?.() === 0;
if (newest === undefined) console.warn(`Skipped: reading on a replica. No PostgreSQL is installed in ${installed}.`);

/** The programs refuse to run as root. */
async function run(program: string, ...args: string[]): Promise<void> {
  const command = [path.join(installed, newest ?? "", "bin", program), ...args];
  const [file = "", ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
  await promisify(execFile)(file, rest, { cwd: "/" });
}

describe.skipIf(newest === undefined)("a replica to read from (runs where PostgreSQL is installed)", () => {
  let folder = "";
  let primaryPort = 0;
  let replicaPort = 0;
  const running = new Set<string>();
  const stores: OpenedStore[] = [];
  const messages: string[] = [];
  const timesTold = (message: string): number => messages.filter((one) => one === message).length;
  const away = "The read replica does not serve; reading from the primary";
  const behind = "The read replica is behind what was written; reading that from the primary";

  const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const data = (name: string) => path.join(folder, name);
  const startServer = async (name: string, port: number) => {
    const options = `-h 127.0.0.1 -p ${port} -k ${folder} -c fsync=off -c max_connections=60 -c hot_standby_feedback=on`;
    await run("pg_ctl", "-D", data(name), "-w", "-l", path.join(folder, `${name}.log`), "-o", options, "start");
    running.add(name);
  };
  const stopServer = async (name: string) => {
    running.delete(name);
    await run("pg_ctl", "-D", data(name), "-m", "immediate", "stop");
  };
  const open = async (readUrl: string | undefined) => {
    const warn = (_details: object, message: string) => void messages.push(message);
    const store = await openStore({
      databaseUrl: urlOf(primaryPort),
      databaseReadUrl: readUrl,
      dataDirectory: "unused",
      newId,
      log: { info: () => undefined, warn },
    });
    stores.push(store);
    return store;
  };
  const valueAt = async (port: number, statement: string) =>
    (await askOnce<{ value: unknown }>(urlOf(port), statement))[0]?.value;
  const onReplica = (statement: string) => valueAt(replicaPort, statement);
  const onPrimary = (statement: string) => valueAt(primaryPort, statement);
  const caughtUp = async () => {
    const position = String(await onPrimary("select pg_current_wal_lsn()::text as value"));
    await expect.poll(() => onReplica(`select pg_last_wal_replay_lsn() >= '${position}'::pg_lsn as value`)).toBe(true);
  };
  /** Index scans on the library, counted where they happen; a session tells them when it ends or idles. */
  const readsOn = async (ask: typeof onReplica) =>
    Number(await ask("select sum(idx_scan)::integer as value from pg_stat_user_indexes where relname = 'script'"));
  const list = async (store: OpenedStore, id: string) =>
    (await store.scripts.search(id, { sort: "date", limit: 50 })).scripts.map(({ transcript }) => transcript.text);
  /** Until the replica answers: on a busy machine it may have been left alone for a while. */
  const untilServed = async (reader: OpenedStore, id: string) => {
    await expect
      .poll(async () => {
        await list(reader, id);
        return timesTold(away) - timesTold("The read replica serves again");
      })
      .toBe(0);
  };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "reelscript-replica-"));
    await chmod(folder, 0o755);
    if (isRoot) {
      const users = await readFile("/etc/passwd", "utf8");
      const [, , uid, gid] = (users.split("\n").find((line) => line.startsWith("postgres:")) ?? "").split(":");
      await chown(folder, Number(uid), Number(gid));
    }
    primaryPort = await freePort();
    replicaPort = await freePort();
    await run("initdb", "-D", data("primary"), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync");
    await startServer("primary", primaryPort);
    await run("pg_basebackup", "-D", data("replica"), "-R", "-X", "stream", "-c", "fast", "-d", urlOf(primaryPort));
    await startServer("replica", replicaPort);
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    messages.splice(0);
  });
  afterAll(async () => {
    for (const name of running) await stopServer(name);
    await rm(folder, { recursive: true, force: true });
  });

  test("returns old data, and never misses earlier writes of any process", async () => {
    const writer = await open(undefined);
    const reader = await open(urlOf(replicaPort));
    const { id } = await anAccount(writer);
    await transcribe(writer, id, { text: "one" }, after(1));
    await caughtUp();
    const atFirst = await readsOn(onReplica);
    const elsewhere = await readsOn(onPrimary);
    const isReadThere = async () => {
      expect(await list(reader, id)).toEqual(["one"]);
      const there = (await readsOn(onReplica)) - atFirst;
      return there >= 20 && there > (await readsOn(onPrimary)) - elsewhere;
    };
    await expect.poll(isReadThere).toBe(true);
    for (let time = 2; time < 30; time += 1) {
      await transcribe(writer, id, { text: String(time) }, after(time));
      expect((await list(reader, id))[0]).toBe(String(time));
      const [newest] = (await reader.scripts.search(id, { query: `${time} `, sort: "date", limit: 1 })).scripts;
      expect(await writer.deletedScripts.delete(id, [newest!.id], after(1_000_000))).toHaveLength(1);
      expect(await list(reader, id)).toEqual(["one"]);
    }
  });

  test("that lags isn't used for newer data, and the log says so", async () => {
    const writer = await open(undefined);
    const reader = await open(urlOf(replicaPort));
    const { id } = await anAccount(writer);
    const quiet = await anAccount(writer);
    await transcribe(writer, quiet.id, { text: "quiet" });
    await caughtUp();
    await onReplica("select pg_wal_replay_pause()");
    await transcribe(writer, id, { text: "late" });
    await untilServed(reader, quiet.id);
    expect(await list(reader, id)).toEqual(["late"]);
    expect((await reader.scripts.handles(id)).total).toBe(1);
    expect(await list(reader, quiet.id)).toEqual(["quiet"]);
    await expect
      .poll(async () => {
        expect(await list(reader, id)).toEqual(["late"]);
        return timesTold(behind);
      })
      .toBe(1);
    await onReplica("select pg_wal_replay_resume()");
    await caughtUp();
    expect(await list(reader, id)).toEqual(["late"]);
  });

  test("that stalls delays one call, and idle connections close with it", async () => {
    const reader = await open(urlOf(replicaPort));
    const { id } = await anAccount(reader);
    await transcribe(reader, id, { text: "here" });
    await caughtUp();
    const reading =
      "select coalesce(json_agg(pid), '[]') as value from pg_stat_activity where application_name = 'reelscript reads'";
    let before: readonly number[] = [];
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 5 }, () => list(reader, id)));
        before = (await onReplica(reading)) as number[];
        return before.length;
      })
      .toBeGreaterThan(1);
    await untilServed(reader, id);
    const pids = await replicaProcesses();
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      expect(await list(reader, id)).toEqual(["here"]);
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    }
    const remaining = async () => ((await onReplica(reading)) as number[]).filter((pid) => before.includes(pid));
    await expect.poll(remaining).toEqual([]);
  });

  test("that stalls or disappears is replaced by the primary, and logged", async () => {
    const reader = await open(urlOf(replicaPort));
    const { id } = await anAccount(reader);
    await transcribe(reader, id, { text: "still here" });
    await caughtUp();
    expect(await list(reader, id)).toEqual(["still here"]);
    await untilServed(reader, id);
    messages.splice(0);
    // Frozen, not gone: connections are made and nothing answers.
    const pids = await replicaProcesses();
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      expect(await Promise.all(Array.from({ length: 20 }, () => list(reader, id)))).toEqual(
        Array.from({ length: 20 }, () => ["still here"]),
      );
      expect(timesTold(away)).toBe(1);
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    }
    await stopServer("replica");
    messages.splice(0);
    const another = await open(urlOf(replicaPort));
    expect(await list(another, id)).toEqual(["still here"]);
    expect(await list(another, id)).toEqual(["still here"]);
    expect(messages).toContain(away);
  });

  test("that is down doesn't stop the start, but a foreign one does", async () => {
    const alone = await open(urlOf(await freePort()));
    expect(await list(alone, (await anAccount(alone)).id)).toEqual([]);
    // One that is too slow to answer is away, too.
    const refuses = async (url: string, says: RegExp) => {
      await expect.poll(() => open(url).then(() => "opened", String)).toMatch(says);
    };
    await onPrimary("create database elsewhere");
    const another = urlOf(primaryPort).replace(/postgres$/, "elsewhere");
    await refuses(another, /^Error: DATABASE_READ_URL is not a replica of the database at DATABASE_URL/);
    await refuses(
      urlOf(primaryPort).replace(/postgres$/, "nowhere"),
      /^Error: DATABASE_READ_URL can't be used: database "nowhere" does not exist\.$/,
    );
    await run("initdb", "-D", data("stranger"), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync");
    const strangerPort = await freePort();
    await startServer("stranger", strangerPort);
    await refuses(urlOf(strangerPort), /^Error: DATABASE_READ_URL is not a replica/);
  });

  /** The server's main process and those that serve connections. */
  async function replicaProcesses(): Promise<number[]> {
    const [main] = (await readFile(path.join(data("replica"), "postmaster.pid"), "utf8")).split("\n");
    const { stdout } = await promisify(execFile)("ps", ["-e", "-o", "pid=,ppid="]);
    const pairs = stdout
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/u));
    return [Number(main), ...pairs.filter(([, parent]) => parent === main).map(([pid]) => Number(pid))];
  }
});
