import pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import type { TcpProxy } from "../harness/start-tcp-proxy.ts";
import { after, anAccount, anAllowance, aReel, ask, start } from "./conformance/fixtures.ts";
import { askOnce, openThroughProxy } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

const unavailable = { code: "unavailable", reason: "databaseUnavailable", status: 503, retryAfter: 5 };
/** In this database; on the same server there are others. */
const waiting =
  "select from pg_locks join pg_database d on d.oid = database where not granted and datname = current_database()";
const outcome = (work: Promise<unknown>): Promise<unknown> => work.then(() => "done").catch((error: unknown) => error);

describe.skipIf(!testDatabaseUrl)("connections to a server (runs with TEST_DATABASE_URL)", () => {
  let direct = "";
  let proxy: TcpProxy;
  let store: OpenedStore;

  beforeEach(async () => {
    const opened = await openThroughProxy(testDatabaseUrl ?? "");
    ({ direct, proxy, store } = opened);
    return opened.close;
  });

  test("that forward nothing are abandoned, and others are opened", async () => {
    const account = await anAccount(store);
    await Promise.all(Array.from({ length: 6 }, () => store.accounts.list()));
    proxy.freeze();
    const failures = await Promise.all([
      ...Array.from({ length: 6 }, () => outcome(store.accounts.list())),
      outcome(ask(store, aReel(), anAllowance(account.id))),
      outcome(store.accounts.create({ email: "a@example.org", plan: "free", now: start })),
    ]);
    for (const failure of failures) expect(failure).toMatchObject(unavailable);
    await expect(store.ping()).rejects.toThrow(/timeout/i);
    proxy.thaw();
    await expect.poll(() => store.accounts.list().catch(String)).toEqual([account]);
    await expect.poll(() => outcome(store.ping())).toBe("done");
    expect(await ask(store, aReel(), anAllowance(account.id))).toMatchObject({ kind: "started" });
  });

  test("that break off in a transaction leave no partial changes or locks", async () => {
    const account = await anAccount(store);
    const blocker = new pg.Client({ connectionString: direct });
    await blocker.connect();
    try {
      await blocker.query("begin; lock table transcription in exclusive mode");
      const asking = outcome(ask(store, aReel(), anAllowance(account.id)));
      await expect.poll(async () => (await blocker.query(waiting)).rowCount).toBeGreaterThan(0);
      proxy.freeze();
      expect(await asking).toMatchObject(unavailable);
    } finally {
      await blocker.query("rollback").finally(() => blocker.end());
    }
    proxy.thaw();
    expect(await ask(store, aReel(), anAllowance(account.id, { limit: 1 }))).toMatchObject({ kind: "started" });
  });

  test("that are all taken leave leases and health alone", async () => {
    const account = await anAccount(store);
    await ask(store, aReel(), anAllowance(account.id));
    const claim = (await store.transcriptions.claim("worker", 30, start))!;
    const blocker = new pg.Client({ connectionString: direct });
    await blocker.connect();
    try {
      await blocker.query("begin; lock table account in access exclusive mode");
      const stuck = Array.from({ length: 12 }, () => outcome(store.accounts.list()));
      await expect.poll(async () => (await blocker.query(waiting)).rowCount).toBe(3);
      expect(await store.transcriptions.extend(claim, 0.5, 30, after(1))).toBe(true);
      await store.ping();
      for (const one of await Promise.all(stuck)) expect(one).toMatchObject(unavailable);
    } finally {
      await blocker.query("rollback").finally(() => blocker.end());
    }
    expect(await store.accounts.list()).toEqual([account]);
  });

  test("that hear notifications are opened again when nothing comes through them", async () => {
    const ids: (string | undefined)[] = [];
    store.subscribe("finished", (id) => ids.push(id));
    const notify = () => askOnce(direct, "select pg_notify('reelscript', 'finished somebody trn_1')");
    await expect.poll(() => notify().then(() => ids.includes("trn_1"))).toBe(true);
    proxy.freeze();
    proxy.thaw();
    ids.splice(0);
    await expect.poll(() => notify().then(() => ids.includes("trn_1")), { interval: 500 }).toBe(true);
  });
});
