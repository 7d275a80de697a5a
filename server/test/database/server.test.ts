import { once } from "node:events";
import net from "node:net";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "@reelscript/contract";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { Store } from "../../src/ports.ts";
import { startUpkeep } from "../harness/look-after.ts";
import { anAccount, anAllowance, aReel, ask, transcribe } from "./conformance/fixtures.ts";
import { newId, temporaryDatabase } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

describe.skipIf(!testDatabaseUrl)("a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  let databaseUrl = "";
  let drop = async () => undefined as unknown;
  const stores: Store[] = [];
  const told: { details: object; message: string }[] = [];

  beforeEach(async () => {
    ({ databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? ""));
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    told.splice(0);
    await drop();
  });

  const tell = (details: object, message: string) => void told.push({ details, message });
  const open = async () => {
    const store = await openStore({ databaseUrl, dataDirectory: "unused", newId, log: { info: tell, warn: tell } });
    stores.push(store);
    return store;
  };
  /** With what a service repeats. */
  const openWorking = async (): Promise<Store> => {
    const store = await openStore({ databaseUrl, dataDirectory: "unused", newId, log: { info: tell, warn: tell } });
    const upkeep = startUpkeep(store);
    const close = async () => {
      await upkeep.stop();
      await store.close();
    };
    stores.push({ ...store, close });
    return { ...store, close };
  };
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return (await client.query<object>(statement).finally(() => client.end())).rows;
  };

  test("is brought up to date by exactly one of four that start at once", async () => {
    const opened = await Promise.all([open(), open(), open(), open()]);
    expect(told.filter(({ message }) => message.startsWith("Brought"))).toHaveLength(1);
    const account = await anAccount(opened[0] as Store);
    expect(await opened[3]?.accounts.find(account.id)).toEqual(account);
  });

  test("is not touched when a migration is unknown or was changed", async () => {
    await open();
    await run("insert into migration (number, name, checksum) values (1000, '1000-later', 'x')");
    await expect(open()).rejects.toThrow(/newer release.*1000-later/);
    await run("delete from migration where number = 1000; update migration set checksum = 'changed' where number = 1");
    await expect(open()).rejects.toThrow(/different migration 0001/);
  });

  test("carries signals to other processes, again after its connections broke", { timeout: 20_000 }, async () => {
    const [asker, worker] = [await open(), await open()];
    const { id } = await anAccount(asker);
    const heard = () => new Promise<void>((resolve) => worker.subscribe("queued", () => resolve()));
    const rouse = async (hearing: Promise<void>) => {
      const asking = setInterval(
        () => void ask(asker, aReel(), anAllowance(id, { limit: 1_000 })).catch(() => undefined),
        100,
      );
      await hearing.finally(() => clearInterval(asking));
    };
    await rouse(heard());
    await run(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await rouse(heard());
    expect(told.map(({ message }) => message)).toContain("Not hearing from the database; trying again");
    await asker.ping();
    expect(await asker.accounts.find(id)).toMatchObject({ id });
  });

  test("keeps its connections when it refuses to start a transcription", async () => {
    const store = await open();
    const { id } = await anAccount(store);
    await store.moderation.suspend(id, { by: "operator", reason: "spam", now: new Date() });
    const connections = () =>
      run(
        "select array_agg(pid order by pid) as pids from pg_stat_activity where datname = current_database() and application_name = 'reelscript'",
      );
    const refuse = () => expect(ask(store, aReel(), anAllowance(id))).rejects.toMatchObject({ status: 401 });
    await refuse();
    const before = await connections();
    for (let time = 0; time < 3; time += 1) await refuse();
    expect(await connections()).toEqual(before);
  });

  test("that goes away is told as unavailable, and serves again once it is back", async () => {
    const server = new URL(databaseUrl);
    const sockets = new Set<net.Socket>();
    const way = net.createServer((near) => {
      const far = net.connect(Number(server.port || 5432), server.hostname);
      for (const socket of [near, far]) sockets.add(socket.on("error", () => undefined));
      near.pipe(far).pipe(near);
    });
    way.listen(0, "127.0.0.1");
    await once(way, "listening");
    const { port } = way.address() as net.AddressInfo;
    databaseUrl = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) }).href;
    const store = await open();
    const account = await anAccount(store);

    way.close();
    for (const socket of sockets) socket.destroy();
    await once(way, "close");
    const failures = [
      await store.accounts.list().catch((error: unknown) => error),
      await ask(store, aReel(), anAllowance(account.id)).catch((error: unknown) => error),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(ServiceError);
      expect(failure).toMatchObject({ code: "unavailable", status: 503 });
    }
    await expect(store.ping()).rejects.toThrow("ECONNREFUSED");

    way.listen(port, "127.0.0.1");
    await once(way, "listening");
    expect(await store.accounts.list()).toEqual([account]);
    await store.ping();
    databaseUrl = server.href;
    await store.close();
    for (const socket of sockets) socket.destroy();
    way.close();
  });

  test("indexes texts anew whose tokens were made by other rules", async () => {
    const store = await open();
    const { id } = await anAccount(store);
    for (let text = 0; text < 3; text += 1)
      await transcribe(store, id, { text: "receive tips", caption: "\0odd \ud800" });
    const total = async (query: string) => (await store.scripts.search(id, { query, sort: "date", limit: 1 })).total;
    await run(
      "update transcript set tokens = '''old'':1', token_version = 0; update script set tokens = ('''old'':1 ''#' || account_id || '''')::tsvector",
    );
    expect([await total("tips"), await total("old")]).toEqual([0, 3]);
    await openWorking();
    // In the background, and searches go on meanwhile.
    await expect.poll(() => told.map(({ details }) => details), { timeout: 20_000 }).toContainEqual({ transcripts: 3 });
    expect([await total('"receive tips"'), await total("odd"), await total("old")]).toEqual([3, 3, 0]);
    const ofKind = { language: "en", length: "under30s", sort: "date", limit: 1 } as const;
    expect((await store.scripts.search(id, ofKind)).total).toBe(3);
  });

  test("indexes anew in one process at a time, and goes on where the one before stopped", async () => {
    const store = await openWorking();
    const { id } = await anAccount(store);
    for (let text = 0; text < 3; text += 1) await transcribe(store, id, { text: "receive tips" });
    await store.close();
    const total = async (on: Store, query: string) =>
      (await on.scripts.search(id, { query, sort: "date", limit: 1 })).total;
    const makeOld = "update transcript set token_version = 0; update script set tokens = '''old'':1'";
    await run(
      `${makeOld}; update background_job set position = '2', holder = 'another', lease_until = now() + interval '1 hour'`,
    );
    const waiting = await openWorking();
    const whole = await openWorking();
    expect([await total(waiting, "tips"), await total(whole, "old")]).toEqual([0, 3]);
    await Promise.all([waiting.close(), whole.close()]);
    expect(told.map(({ message }) => message)).not.toContain("Rebuilt the search index of transcripts");
    // Its lease ran out. What is behind its position is old too, and found at the end.
    await run("update background_job set lease_until = now() - interval '1 second'");
    const last = await openWorking();
    await expect.poll(() => told.map(({ details }) => details), { timeout: 20_000 }).toContainEqual({ transcripts: 3 });
    expect([await total(last, "tips"), await total(last, "old")]).toEqual([3, 0]);
  });
});

test("a server that is not there stops the start", async () => {
  const opening = openStore({ databaseUrl: "postgres://nobody@127.0.0.1:1/nothing", dataDirectory: "unused", newId });
  await expect(opening).rejects.toThrow("ECONNREFUSED");
});
