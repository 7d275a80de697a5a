import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { advisoryLock } from "../../src/adapters/database/engine/advisory-lock.ts";
import { transaction, type Transaction } from "../../src/adapters/database/engine/statement.ts";
import { openEngine } from "../../src/adapters/database/open-engine.ts";
import { migrate, pendingMigrations } from "../../src/adapters/database/migrations/migrate.ts";
import { readSchema } from "../../src/adapters/database/migrations/read-schema.ts";
import { migrations, type Migration } from "../../src/adapters/database/migrations/migrations.ts";
import { openTestEngine } from "../harness/test-stores.ts";
import { anAccount, transcribe } from "./conformance/fixtures.ts";
import { operate } from "../admin/run-program.ts";
import { openOnServer, temporaryDatabase } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

/** The first 16 digits of the SHA-256 of each migration's SQL. */
const frozen: Readonly<Record<string, string>> = {
  "0001-baseline": "47f32d185cfd5693",
  "0002-keys-of-webhooks": "52aea34db082669b",
  "0003-search-renewal": "4088adb0ba766749",
  "0004-batches": "d70345ead8567bdf",
  "0005-metrics-of-reports": "b9a3a0420644b5f5",
  "0006-waiting-for-outages": "5b64108373d02cdc",
  "0007-clocks-of-machines": "2dcfea4b5877f4cb",
  "0008-report-links": "5b7cd141d53f77cd",
  "0009-origin-of-transcriptions": "b81aa110f56f2d70",
  "0010-draining-queue": "57059c7ae1aa06a8",
  "0011-kept-libraries": "2114e769f523aa69",
  "0012-neighbors-waited-for": "dd1cab9b30822df8",
  "0013-changes-of-plans": "0b69d1b9541d8bf7",
  "0014-compact-transcripts": "0e18d17d145d72e9",
  "0015-media-in-storage": "650b54b48bb3ca8d",
  "0016-uncompressed-tokens": "86a3051671e82c41",
  "0017-opened-functions": "dee6fb2c55314bc2",
  "0018-waiting-in-turn": "5aa509ad35c300c0",
  "0019-files": "f14416d4a0dd56ec",
  "0020-passwords": "b9a54bca5ffcc191",
  "0021-operators": "4286fcec2f8e6952",
  "0022-videos": "f4ebe27f36f5d8a2",
  "0023-translations": "1b6744043c635e88",
  "0024-files-in-batches": "156e8e191cf116f2",
};

/** The first digits of the checksums by which databases know the migrations whose functions have files since. */
const recordedChecksums: Readonly<Record<string, string>> = {
  "0001-baseline": "3af54bfbe7af5308",
  "0002-keys-of-webhooks": "3dac73157c888bdb",
  "0006-waiting-for-outages": "93eb82be96c48725",
  "0011-kept-libraries": "157a2f9c5102f12c",
  "0012-neighbors-waited-for": "5d457935e557e90c",
  "0014-compact-transcripts": "eaa69031470fdab2",
  "0015-media-in-storage": "8bd3e768df6bdaf9",
  "0016-uncompressed-tokens": "b325c19dbbe87c44",
};

/** The first 16 digits of the SHA-256 of all functions and triggers, and the migration that brings them. */
const frozenFunctions = { migration: "0024-files-in-batches", hash: "a7b38aa38b2cc62d" };

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

describe("migrations", () => {
  test("are never changed", () => {
    for (const { name, sql } of migrations) {
      const hash = hashOf(sql);
      const advice =
        name in frozen
          ? `Migration ${name} was changed, and databases that have it would lack the change. Restore it and add a new one; before the first release, write "${hash}" into this test instead.`
          : `Migration ${name} is new: freeze it by adding this line to the list in this test:\n  "${name}": "${hash}",`;
      expect(frozen[name], advice).toBe(hash);
    }
    const gone = Object.keys(frozen).filter((name) => migrations.every((one) => one.name !== name));
    expect(gone, "Migrations were taken away; databases that have them would refuse to start.").toEqual([]);
  });

  test("keep the checksums by which databases know them", () => {
    const recorded = migrations.flatMap(({ name, checksum }) =>
      checksum === undefined ? [] : [[name, checksum.slice(0, 16)]],
    );
    expect(Object.fromEntries(recorded)).toEqual(recordedChecksums);
  });

  test("bring all functions by the last one that changed any", () => {
    const bringing = migrations.filter(({ functions }) => functions);
    expect(bringing).toHaveLength(1);
    const [{ name, functions = [] } = { name: "none" }] = bringing;
    const hash = hashOf(JSON.stringify(functions));
    const advice = `A function or trigger was changed. Give it a new name if the release before would notice, move \`functions\` to a new migration at the end, and write its name and "${hash}" into this test.`;
    expect({ migration: name, hash }, advice).toEqual(frozenFunctions);
  });

  test("are in the order of their numbers", () => {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
  });
});

/** The next release might bring a migration like this one: it only adds. */
const next: Migration = {
  name: "9999-next",
  isAdditive: true,
  sql: "alter table script add column starred boolean not null default false; create table star (id text primary key);",
};

test("schema.sql is what migrations make; renew it with `npm run surface`", async () => {
  const engine = await openTestEngine();
  const committed = await readFile(new URL("../../../schema.sql", import.meta.url), "utf8");
  expect(await readSchema(engine.pool)).toBe(committed);
  await engine.close();
});

test("key figures of reports are read whatever escapes their texts have", async () => {
  const engine = await openTestEngine();
  await engine.pool.query(
    "insert into account (id, email, plan, created_at) values ('acc_1', 'a@b.test', 'free', now())",
  );
  // These are findings as the release before wrote them, and texts that only look like escapes.
  const texts = [
    String.raw`\u0000\u0000`,
    String.raw`\ud83d`,
    String.raw`\\\u0000`,
    String.raw`\\u0000 C:\\ud800`,
    "👍",
  ];
  for (const [index, text] of texts.entries())
    await engine.pool.query(
      "insert into report (id, account_id, handle, created_at, reels_analyzed, timezone, findings) values ($1, 'acc_1', 'a', now(), 1, 'UTC', $2)",
      [`rep_${index}`, `{"topReels":[{"caption":"${text}"}],"metrics":{"medianViews":1234.5}}`],
    );
  const { rows } = await engine.pool.query("select (metrics ->> 'medianViews')::float8 as views from report");
  expect(rows).toEqual(texts.map(() => ({ views: 1234.5 })));
  await engine.close();
});

test("a database that a newer release changed is refused", async () => {
  const engine = await openTestEngine();
  const older = transaction(engine.pool, async (inside) => {
    await migrate(inside, [...migrations, next, { name: "9999-removal", sql: "drop table star" }]);
    await migrate(inside);
  });
  await expect(older).rejects.toThrow("set up by a newer release of Reelscript (migration 9999-removal");
  await engine.close();
});

test.skipIf(!testDatabaseUrl)(
  "tables change while the previous release serves (runs with TEST_DATABASE_URL)",
  async () => {
    const { store, pool, close } = await openOnServer(testDatabaseUrl ?? "");
    const { id } = await anAccount(store);
    let serves = true;
    let served = 0;
    const serving = (async () => {
      for (; serves || served < 3; served += 1) await transcribe(store, id, { text: "alpha beta" });
    })();
    const applied = await transaction(pool, async (inside) => {
      await advisoryLock(inside, "migrate");
      return migrate(inside, [...migrations, next]);
    });
    expect(applied).toEqual([next.name]);
    serves = false;
    await serving;
    await transcribe(store, id, { text: "alpha gamma" });
    const page = await store.scripts.search(id, { query: "alpha", sort: "date", limit: 1 });
    expect(page.total).toBe(served + 1);
    await close();
  },
);

test("the previous release starts and works on tables with additions", async () => {
  const engine = await openTestEngine();
  await transaction(engine.pool, async (inside) => {
    expect(await migrate(inside, [...migrations, next])).toEqual([next.name]);
    expect(await migrate(inside)).toEqual([]);
  });
  expect(await pendingMigrations(engine.pool)).toEqual([]);
  await engine.close();
});

describe.skipIf(!testDatabaseUrl)("a server whose tables are a release behind (runs with TEST_DATABASE_URL)", () => {
  /** The next one changes a table that every call reads. */
  const before = migrations.findIndex(({ name }) => name === "0006-waiting-for-outages");
  const behind = async () => {
    const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl!);
    onTestFinished(drop);
    const client = new pg.Client(databaseUrl);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("begin");
    await migrate(client as unknown as Transaction, migrations.slice(0, before));
    await client.query("commit");
    return { databaseUrl, client };
  };

  test("answers calls while a backup keeps its tables from being changed", async () => {
    const { databaseUrl, client } = await behind();
    // A dump holds this lock on every table until it has read all of them.
    await client.query("begin");
    await client.query("lock table transcription in access share mode");
    const messages: string[] = [];
    const log = { info: () => undefined, warn: (_details: object, message: string) => void messages.push(message) };
    let isOpen = false;
    const opening = openEngine({ databaseUrl, dataDirectory: "unused" }, log).then((engine) => {
      isOpen = true;
      return engine;
    });
    const caller = new pg.Client(databaseUrl);
    await caller.connect();
    await expect.poll(() => messages).toEqual([expect.stringContaining("such as a backup")]);
    for (let calls = 0; calls < 20; calls += 1) await caller.query("select count(*) from transcription");
    expect(isOpen).toBe(false);
    await client.query("commit");
    const engine = await opening;
    expect(await pendingMigrations(engine.pool)).toEqual([]);
    await caller.end();
    await engine.close();
  });

  test("is migrated by the operator's command, after a preview", async () => {
    const { databaseUrl } = await behind();
    const directory = tmpdir();
    const run = (...args: string[]) => operate(args, { directory, environment: { DATABASE_URL: databaseUrl } });
    const lacks = { migrations: migrations.slice(before).map(({ name }) => name) };
    for (const _time of [1, 2])
      expect(JSON.parse((await run("migrate", "--dry-run", "--json")).stdout)).toEqual({ ...lacks, dryRun: true });
    expect(JSON.parse((await run("migrate", "--json")).stdout)).toEqual({ ...lacks, dryRun: false });
    expect((await run("migrate")).stdout).toBe("The tables are up to date.\n");
  });
});
