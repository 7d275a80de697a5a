import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Transaction } from "../../src/adapters/database/engine/statement.ts";
import { databaseFunctions } from "../../src/adapters/database/functions/database-functions.ts";
import { migrate } from "../../src/adapters/database/migrations/migrate.ts";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { readSchema } from "../../src/adapters/database/migrations/read-schema.ts";
import { openTestEngine } from "../harness/test-stores.ts";

const folder = new URL("../../src/adapters/database/functions/", import.meta.url);
const bodyOf = (sql: string): string => sql.slice(sql.indexOf("$$") + 2, sql.lastIndexOf("$$"));
const inOrder = (texts: readonly string[]): string[] => texts.toSorted();

/** Runs `work` in a transaction that is rolled back. */
async function undone(work: (inside: Transaction) => Promise<void>): Promise<void> {
  const engine = await openTestEngine();
  const inside = await engine.pool.connect();
  await inside.query("begin");
  await work(inside);
  await inside.query("rollback");
  inside.release();
  await engine.close();
}

test("every function and trigger of a migrated database has one file, with its text", () =>
  undone(async (inside) => {
    const functions = await inside.query<{ name: string; body: string }>(
      "select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace",
    );
    const bodies = databaseFunctions.map(({ name, sql }) => `${name}${bodyOf(sql)}`);
    expect(inOrder(functions.rows.map(({ name, body }) => `${name}${body}`))).toEqual(inOrder(bodies));
    const present = await inside.query<{ name: string }>(
      `select c.relname || '.' || t.tgname as name from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
       where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
    );
    const triggerNames = databaseFunctions.flatMap(({ triggers = [] }) =>
      triggers.map(({ table, name }) => `${table}.${name}`),
    );
    expect(inOrder(present.rows.map(({ name }) => name))).toEqual(inOrder(triggerNames));

    // Signatures and conditions are compared as the database describes them.
    const before = await readSchema(inside);
    for (const { triggers = [] } of databaseFunctions)
      for (const { name, table, sql } of triggers) await inside.query(`drop trigger ${name} on ${table}; ${sql}`);
    for (const { sql } of databaseFunctions) await inside.query(sql);
    expect(await readSchema(inside)).toBe(before);
  }));

test("every file of a function is in the list", async () => {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !/^(apply-functions|database-functions?)\.ts$/.test(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  const names = texts.map((text) => /name: "(\w+)"/.exec(text)?.[1] ?? "");
  expect(inOrder(names)).toEqual(inOrder(databaseFunctions.map(({ name }) => name)));
});

test("a database arrives at the same functions from every earlier migration, whatever functions it has", async () => {
  const committed = await readFile(new URL("../../../schema.sql", import.meta.url), "utf8");
  const bringing = migrations.findIndex(({ functions }) => functions !== undefined);
  for (let done = 0; done <= bringing; done += 1)
    await undone(async (inside) => {
      await inside.query("drop schema public cascade; create schema public");
      if (done > 0) {
        await migrate(inside, migrations.slice(0, done));
        for (const { sql } of databaseFunctions)
          await inside.query(sql.replace(bodyOf(sql), " begin raise exception 'an earlier text'; end "));
      }
      await migrate(inside);
      expect(await readSchema(inside)).toBe(committed);
    });
});

test("processes of the release before start, end and add what they always did, and the database does the rest for them", () =>
  undone(async (inside) => {
    await inside.query(`
      insert into account (id, email, plan, created_at) values ('acc_1', 'a@b.test', 'free', now());
      insert into webhook (id, account_id, url, secret, created_at) values ('whk_1', 'acc_1', 'https://a.test', '\\x00', now())`);
    await inside.query(
      "select set_config('reelscript.request_id', 'req_1', true), set_config('reelscript.request_span', 'a-b', true)",
    );
    const start = `select answer from start_transcription(
      new_id => 'trn_1', asker => 'acc_1', reel_platform => 'instagram', reel_media_id => '1', reel_shortcode => 'a',
      reel_url => 'https://a.test/1', hint => null, most_open => 10, most_waiting => 10, moment => now(),
      asker_slot => 1::smallint, asker_period => 'once', most_units => 3, refusal_model => 'm')`;
    expect((await inside.query(start)).rows).toEqual([{ answer: "started" }]);
    const claim = "select id from claim_next('w', 30, now(), true, '{}', true)";
    expect((await inside.query(claim)).rows).toEqual([{ id: "trn_1" }]);
    await inside.query("insert into interim_text values ('trn_1', 1, 1, 'en', 'so far')");
    await inside.query(
      "update transcription set state = 'done', lease_until = null, finished_at = now() where id = 'trn_1' and attempt = 1",
    );
    const left = await inside.query(`
      select (select request_id || request_span from transcription) as origin,
        (select array_agg(event) from webhook_delivery) as events,
        (select waiting + running from queue_account where account_id = 'acc_1') as open,
        (select sum(open)::integer from queue_length) as length, (select count(*)::integer from interim_text) as passages`);
    expect(left.rows).toEqual([
      { origin: "req_1a-b", events: ["transcription.done"], open: 0, length: 0, passages: 0 },
    ]);

    await inside.query(`
      insert into transcript (platform, media_id, reel, text, segments, gaps, language, seconds, speech_seconds, truncated, model,
        revision, created_at, tokens, times)
      values ('instagram', '1', '{}', 'alpha', '[]', '[]', 'en', 1, 1, false, 'm', 1, now(), '', '\\x00');
      select set_config('reelscript.tokens', '''alpha''', true);
      insert into script (id, account_id, transcript_id, added_at) select 'scr_1', 'acc_1', id, now() from transcript`);
    const indexed = await inside.query(
      "select tokens::text, (select scripts from account_content) as scripts from searchable_script",
    );
    expect(indexed.rows).toEqual([{ tokens: "'alpha'", scripts: 1 }]);
    // The functions of this release do the same once, not twice.
    const again = "select add_script('scr_2', 'acc_1', id, now(), null) as id from transcript";
    expect((await inside.query(again)).rows).toEqual([{ id: "scr_1" }]);
    await inside.query("select delete_scripts('acc_1', array['scr_1'], now())");
    await inside.query("delete from script");
    const added = "select add_script('scr_2', 'acc_1', id, now(), '''beta''') as id from transcript";
    expect((await inside.query(added)).rows).toEqual([{ id: "scr_2" }]);
    const reindexed = await inside.query(
      "select tokens::text, (select scripts from account_content) as scripts from searchable_script",
    );
    expect(reindexed.rows).toEqual([{ tokens: "'beta'", scripts: 1 }]);
  }));
