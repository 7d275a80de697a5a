import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ServiceError } from "@reelscript/contract";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { Store } from "../../src/ports.ts";
import { startWay } from "../harness/start-way.ts";
import { anAccount, anAllowance, aReel, ask } from "./conformance/fixtures.ts";
import { askOnce, newId, temporaryDatabase } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

const renameTo = (from: string, to: string) => (name: string) => `alter database ${name}${from} rename to ${name}${to}`;
/** Owners keep their rights, so that somebody else owns it meanwhile. */
const revokeConnect = (name: string): string =>
  `alter database ${name} owner to current_user; revoke connect on database ${name} from ${name}`;

describe.skipIf(!testDatabaseUrl)("a PostgreSQL server (runs with TEST_DATABASE_URL)", () => {
  let databaseUrl = "";
  const entries: { details: object; message: string }[] = [];

  beforeEach(async () => {
    const database = await temporaryDatabase(testDatabaseUrl ?? "");
    databaseUrl = database.databaseUrl;
    entries.splice(0);
    onTestFinished(database.drop);
  });

  const tell = (details: object, message: string) => void entries.push({ details, message });
  const open = async (url = databaseUrl) => {
    const store = await openStore({
      databaseUrl: url,
      dataDirectory: "unused",
      newId,
      log: { info: tell, warn: tell },
    });
    onTestFinished(() => store.close());
    return store;
  };
  const run = (statement: string) => askOnce(databaseUrl, statement);

  test("is migrated by exactly one of four that start together", async () => {
    const opened = await Promise.all([open(), open(), open(), open()]);
    expect(entries.filter(({ message }) => message.startsWith("Brought"))).toHaveLength(1);
    const account = await anAccount(opened[0] as Store);
    expect(await opened[3]?.accounts.find(account.id)).toEqual(account);
  });

  test("is not touched when a migration is unknown or was changed", async () => {
    await open();
    await run("insert into migration (number, name, checksum) values (1000, '1000-later', 'x')");
    await expect(open()).rejects.toThrow(/newer release.*1000-later/);
    await run("delete from migration where number = 1000; update migration set checksum = 'changed' where number = 1");
    await expect(open()).rejects.toThrow(
      /different migration 0001.*move DATA_DIR aside or name an empty database in DATABASE_URL/,
    );
  });

  test("carries signals to other processes, again after its connections broke", async () => {
    const asker = await open();
    const worker = await open();
    const { id } = await anAccount(asker);
    const nextSignal = () => new Promise<void>((resolve) => worker.subscribe("queued", () => resolve()));
    const rouse = async (hearing: Promise<void>) => {
      const asking = setInterval(
        () => void ask(asker, aReel(), anAllowance(id, { limit: 1_000 })).catch(() => undefined),
        100,
      );
      await hearing.finally(() => clearInterval(asking));
    };
    await rouse(nextSignal());
    await run(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await rouse(nextSignal());
    await expect
      .poll(() => entries.map(({ message }) => message))
      .toContain("Not hearing from the database; trying again");
    await expect.poll(() => asker.ping().then(() => "well", String)).toBe("well");
    await expect.poll(() => asker.accounts.find(id).catch(String)).toMatchObject({ id });
  });

  test.each([
    [
      "may not sign in any more",
      (name: string) => `alter role ${name} nologin`,
      (name: string) => `alter role ${name} login`,
    ],
    ["finds its database under another name", renameTo("", "_before"), renameTo("_before", "")],
    ["may not connect to it", revokeConnect, (name: string) => `grant connect on database ${name} to ${name}`],
  ])("answers that it is unavailable while its role %s", async (_what, trouble, mend) => {
    const admin = testDatabaseUrl ?? "";
    const name = new URL(databaseUrl).pathname.slice(1);
    await askOnce(
      admin,
      `create role ${name} login; alter database ${name} owner to ${name}; revoke connect on database ${name} from public`,
    );
    onTestFinished(async () => {
      await askOnce(admin, mend(name)).catch(() => undefined);
      await askOnce(databaseUrl, `reassign owned by ${name} to current_user; drop owned by ${name}`);
      await askOnce(admin, `drop role ${name}`);
    });
    const store = await open(Object.assign(new URL(databaseUrl), { username: name, password: "" }).href);
    const { id } = await anAccount(store);
    const breakConnections = `select pg_terminate_backend(pid) from pg_stat_activity where datname like '${name}%'`;
    await askOnce(admin, breakConnections);
    await askOnce(admin, trouble(name));
    await askOnce(admin, breakConnections);
    const find = () => store.accounts.find(id).catch((error: unknown) => (error as ServiceError).reason);
    // The first calls may meet the connections that broke.
    for (let call = 0; call < 15; call += 1) expect(await find()).toBe("databaseUnavailable");
    await askOnce(admin, mend(name));
    await expect.poll(find).toMatchObject({ id });
    await store.close();
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

  test("that goes down is reported as unavailable, and serves again later", async () => {
    const way = await startWay(databaseUrl);
    const store = await open(way.url);
    const account = await anAccount(store);
    await way.cut();
    const failures = [
      await store.accounts.list().catch((error: unknown) => error),
      await ask(store, aReel(), anAllowance(account.id)).catch((error: unknown) => error),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(ServiceError);
      expect(failure).toMatchObject({ code: "unavailable", status: 503 });
    }
    await expect(store.ping()).rejects.toThrow("ECONNREFUSED");

    await way.restore();
    expect(await store.accounts.list()).toEqual([account]);
    await store.ping();
    await store.close();
    await way.close();
  });
});

test("a server that is not there stops the start", async () => {
  const opening = openStore({ databaseUrl: "postgres://nobody@127.0.0.1:1/nothing", dataDirectory: "unused", newId });
  await expect(opening).rejects.toThrow("ECONNREFUSED");
});
