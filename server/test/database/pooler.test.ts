import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openStore, type OpenedStore } from "../../src/adapters/database/open-store.ts";
import { freePort } from "../harness/free-port.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";
import { anAccount, anAllowance, aReel, ask, emptyQueue, transcribe } from "./conformance/fixtures.ts";
import { askOnce, newId, temporaryDatabase } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

const program = ["pgbouncer", "/usr/sbin/pgbouncer"].find((one) => spawnSync(one, ["--version"]).status === 0);
const isPossible = program !== undefined && testDatabaseUrl !== undefined;
if (!isPossible) console.warn("SKIPPED: a pooler needs pgbouncer and TEST_DATABASE_URL, and one of them is missing");

const refusal = /^The pooler at DATABASE_URL .*session mode .*or point DATABASE_URL at the server itself\.$/;

describe.skipIf(!isPossible)("PgBouncer in front of PostgreSQL (runs with pgbouncer and TEST_DATABASE_URL)", () => {
  let direct = "";

  beforeEach(async () => {
    const database = await temporaryDatabase(testDatabaseUrl ?? "");
    direct = database.databaseUrl;
    onTestFinished(database.drop);
  });

  async function startPooler(settings: Readonly<Record<string, string | number>>): Promise<string> {
    const { hostname, port, username, password } = new URL(direct);
    const directory = directoryOfTest();
    const file = path.join(directory, "pgbouncer.ini");
    const listening = await freePort();
    const lines = Object.entries({
      listen_addr: "127.0.0.1",
      listen_port: listening,
      unix_socket_dir: "",
      auth_type: "any",
      ...settings,
    }).map(([name, value]) => `${name} = ${value}`);
    const server = `host=${hostname} port=${port || 5432} user=${username}${password && ` password=${password}`}`;
    await writeFile(file, `[databases]\n* = ${server}\n[pgbouncer]\n${lines.join("\n")}\n`);
    // It refuses to run as root, and whom it becomes then has to read the file.
    await chmod(directory, 0o755);
    const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    const pooler = spawn(program ?? "", [...user, file], { stdio: "ignore" });
    onTestFinished(async () => {
      if (pooler.kill("SIGKILL")) await once(pooler, "exit");
    });
    const url = Object.assign(new URL(direct), { hostname: "127.0.0.1", port: String(listening) }).href;
    for (;;) {
      expect(pooler.exitCode, "PgBouncer ended").toBeNull();
      const isUp = await connect(url).then(
        () => true,
        () => false,
      );
      if (isUp) return url;
      await pause(50);
    }
  }
  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    onTestFinished(() => client.end().catch(() => undefined));
    return client;
  }
  async function open(databaseUrl: string, databaseReadUrl?: string): Promise<OpenedStore> {
    const store = await openStore({ databaseUrl, databaseReadUrl, dataDirectory: "unused", newId });
    onTestFinished(() => store.close());
    return store;
  }
  const tables = () => askOnce(direct, "select to_regclass('migration') as name");

  test("in session mode carries transcriptions and signals between processes, and finds", async () => {
    const url = await startPooler({ pool_mode: "session", default_pool_size: 60 });
    const asker = await open(url);
    const worker = await open(url);
    const account = await anAccount(asker);
    let signals = 0;
    worker.subscribe("queued", () => {
      signals += 1;
    });
    // Until the listener is connected, signals are lost.
    await expect
      .poll(async () => {
        await ask(asker, aReel(), anAllowance(account.id, { limit: 1_000 }));
        return signals;
      })
      .toBeGreaterThan(0);
    await Promise.all(Array.from({ length: 20 }, () => worker.accounts.list()));
    expect(await worker.accounts.find(account.id)).toEqual(account);
    const { id } = await anAccount(worker);
    await emptyQueue(worker);
    await transcribe(worker, id, { text: "receive tips" });
    expect(await asker.scripts.search(id, { query: "tips", sort: "date", limit: 1 })).toMatchObject({ total: 1 });
  });

  test.each<Readonly<Record<string, string | number>>>([
    { pool_mode: "transaction" },
    { pool_mode: "transaction", default_pool_size: 1 },
    { pool_mode: "transaction", server_round_robin: 1, min_pool_size: 2 },
    { pool_mode: "transaction", server_round_robin: 1, min_pool_size: 3 },
    { pool_mode: "statement" },
  ])("set to %o stops the start with one sentence, before anything is done", async (settings) => {
    const url = await startPooler(settings);
    await expect(open(url)).rejects.toThrow(refusal);
    expect(await tables()).toEqual([{ name: null }]);
  });

  test("in transaction mode isn't read from either", async () => {
    const url = await startPooler({ pool_mode: "transaction" });
    await expect(open(direct, url)).rejects.toThrow(/^The pooler at DATABASE_READ_URL shares sessions .*session mode /);
  });

  test("in transaction mode is seen while others use it", async () => {
    const url = await startPooler({ pool_mode: "transaction", default_pool_size: 8 });
    const others = await Promise.all(Array.from({ length: 12 }, () => connect(url)));
    let isBusy = true;
    const work = others.map(async (client, index) => {
      while (isBusy) await client.query(`select pg_sleep(${(index % 4) / 100})`);
    });
    try {
      for (let start = 0; start < 20; start += 1) await expect(open(url)).rejects.toThrow(refusal);
    } finally {
      isBusy = false;
      await Promise.all(work);
    }
  });

  test("in session mode, and the server itself, are never refused during use", async () => {
    const url = await startPooler({ pool_mode: "session", default_pool_size: 60 });
    for (const address of [url, direct]) {
      const first = await open(address);
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          const store = await open(address);
          await expect(store.ping()).resolves.toBeUndefined();
          await store.close();
        }),
      );
      await first.close();
    }
  });
});
